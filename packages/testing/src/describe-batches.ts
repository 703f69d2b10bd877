import { describe, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import { effectOf, type BatchHandler, type EffectHandler } from '@parley/platform/event-bus';
import { setTimeout } from 'node:timers/promises';
import { anOrgId, updatesOf, versionOf } from './builders.ts';
import type { ConsumerBench } from './consumer-bench.ts';

const batcher = (handleAll: BatchHandler['handleAll']): BatchHandler => ({
  kind: 'batch',
  consumer: 'count',
  events: [organisationUpdated],
  handleAll,
});
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

/** What handlers may rely on that get the events of a transaction together. */
export function describeBatches(bench: () => ConsumerBench): void {
  describe('batches', () => {
    test('get events together, each once, however often they are told', async () => {
      const sizes: number[] = [];
      const events = updatesOf(anOrgId(), 100);
      await bench().publish(...events);
      await bench().publish(...events.slice(0, 30));
      const handler = batcher(async (batch, tx) => {
        sizes.push(batch.length);
        for (const event of batch) await bench().write('count', event, tx);
      });
      await bench().run([handler]);
      await bench().eventuallyWrote('count', range(100));
      expect(Math.max(...sizes)).toBeGreaterThan(1);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(64);
    });

    test('park the key of an event that they cannot take, keep all others, and take it once it is replayed', async () => {
      const [good, bad] = [anOrgId(), anOrgId()];
      let isPoison = true;
      const handler = batcher(async (batch, tx) => {
        for (const event of batch) await bench().write('count', event, tx);
        if (isPoison && batch.some((event) => event.subject === bad && versionOf(event) === 2))
          throw new Error('poison');
      });
      const runtime = await bench().run([handler]);
      const [goodEvents, badEvents] = [updatesOf(good, 4), updatesOf(bad, 4)];
      await bench().publish(...badEvents.flatMap((event, index) => [event, goodEvents[index]!]));
      await bench().eventuallyWrote('count', range(4), good);
      const [letter] = await bench().eventuallyBuried(runtime, 1);
      expect(await bench().versions('count', bad)).toEqual([1]);
      isPoison = false;
      expect(await runtime.deadLetters.replay(letter!.id)).toBe(true);
      await bench().eventuallyWrote('count', range(4), bad);
      expect(await bench().versions('count', good)).toEqual(range(4));
    });

    test('transactions that change the same rows run one after the other, so many events in each', async () => {
      const subjects = Array.from({ length: 12 }, () => anOrgId());
      const sessions = new Set<unknown>();
      let [open, mostOpen] = [0, 0];
      const contended: EffectHandler = {
        ...effectOf('seat', organisationUpdated, async (event, tx) => {
          open += 1;
          mostOpen = Math.max(mostOpen, open);
          await setTimeout(2);
          await bench().write('seat', event, tx);
          sessions.add(tx.session);
          open -= 1;
        }),
        mostTogether: 3,
      };
      await bench().publish(...subjects.flatMap((orgId) => updatesOf(orgId, 4)));
      await bench().run([contended]);
      for (const orgId of subjects) await bench().eventuallyWrote('seat', [1, 2, 3, 4], orgId);
      expect(mostOpen).toBe(1);
      expect(sessions.size).toBeGreaterThanOrEqual((12 * 4) / 3);
    });
  });
}
