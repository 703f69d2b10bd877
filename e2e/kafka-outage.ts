import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient, type ReadingTab } from '@parley/testing/client';
import type { Infrastructure } from '@parley/testing/distributed';
import { endSession, statusOf } from './callers.ts';
import { password, type OutageScene } from './outage-scene.ts';
import { report } from './report.ts';

/** Takes Kafka away and brings it back; its tests belong together in their order. */
export function defineKafkaOutage(scene: OutageScene, kafka: Infrastructure['kafka']): void {
  describe('while Kafka is away', () => {
    const told: ReadingTab[] = [];
    let conversationId: ConversationId;
    beforeAll(() => kafka.kill());

    test('a session that is ended loses its other tab and its requests, on whichever BFF', async () => {
      const ends: Awaited<ReturnType<typeof endSession>>[] = [];
      for (let round = 0; round < 6; round += 1) {
        const device = new ParleyClient(scene.running.url);
        await device.signIn('omar@example.com', password);
        device.orgId = scene.omar.orgId;
        ends.push(
          await endSession(
            device,
            await scene.openTab(scene.running.of('bff')[round % 2], device, newId('conversation')),
          ),
        );
      }
      report(
        'Kafka away: socket of an ended session cut',
        ends.map(({ socketMs }) => socketMs),
      );
      report(
        'Kafka away: last request that still passed',
        ends.map(({ lastPassedMs }) => lastPassedMs),
      );
      // 503: for a moment nobody could tell whether the session still holds.
      const others = ends.flatMap(({ refusals }) => refusals).filter((status) => status !== 401 && status !== 503);
      expect(others).toEqual([]);
      await eventually(async () => expect(await statusOf(scene.omar)).toBe(200), 'others should get on');
    });

    test('a question is answered, live for the tabs of both BFFs', async () => {
      conversationId = await scene.askSlowly();
      for (const bff of scene.running.of('bff')) told.push(await scene.openTab(bff, scene.ines, conversationId));
      for (const [words, whole] of [
        ['two ', 'one two '],
        ['three ', 'one two three '],
      ] as const) {
        scene.model.say(words);
        await eventually(
          () => expect(told.map(({ answer }) => answer.text)).toEqual([whole, whole]),
          'both should read along',
          30_000,
        );
      }
      scene.model.end();
      await eventually(
        () => expect(told.map(({ answer }) => answer.end)).toEqual(['done', 'done']),
        'both should see the end',
      );
      expect((await scene.ines.messages(conversationId)).items[1]).toMatchObject({
        text: 'one two three ',
        generation: { status: 'done' },
      });
      expect(await scene.running.gauge('chat-api', 'parley_outbox_pending')).toBeGreaterThan(0);
    });

    test('tabs that were open before see the words of the next question at once', async () => {
      const firstWords = await scene.askInOpenTabs(conversationId, told);
      report('Kafka away: first word in tabs that were open', firstWords);
      scene.model.end();
    });

    test('back again: everybody hears of it, and nothing waits to be published', async () => {
      await kafka.restart();
      const backAt = Date.now();
      await eventually(
        () =>
          expect(
            told.map(({ changes }) =>
              changes.some(({ kind, generation }) => kind === 'generation' && generation?.status === 'done'),
            ),
          ).toEqual([true, true]),
        'both should hear',
        120_000,
      );
      report('Kafka back: everybody heard', [Date.now() - backAt]);
      for (const name of ['auth', 'org', 'chat-api'] as const)
        await eventually(
          async () => expect(await scene.running.gauge(name, 'parley_outbox_pending')).toBe(0),
          `${name} should have published all`,
          120_000,
        );
    });
  });
}
