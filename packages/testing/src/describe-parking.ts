import { describe, expect, test } from '@jest/globals';
import { organisationUpdated, topics } from '@parley/contracts';
import { effectOf, replayDeadLetters, type EffectHandler } from '@parley/platform/event-bus';
import { anOrganisationUpdate, anOrgId, updatesOf } from './builders.ts';
import type { ConsumerBench } from './consumer-bench.ts';
import { eventually } from './eventually.ts';

let current: () => ConsumerBench;
let isPoison: (version: number) => boolean;

/** What happens to an event that a handler fails on. */
export function describeParking(currentBench: () => ConsumerBench): void {
  current = currentBench;
  describeOneFailure();
  describeParkedKeys();
}

const failing = (consumer: string, subject: string): EffectHandler =>
  effectOf(consumer, organisationUpdated, async (event, tx) => {
    if (event.subject === subject && isPoison(event.data.version))
      throw new TypeError(`cannot take version ${event.data.version}`);
    await current().write(consumer, event, tx);
  });
const writer = (consumer: string): EffectHandler =>
  effectOf(consumer, organisationUpdated, (event, tx) => current().write(consumer, event, tx));

function describeOneFailure(): void {
  describe('a failing event', () => {
    test('the dead letter tells the event, its place, the tries and the original error', async () => {
      const bench = current();
      const orgId = anOrgId();
      isPoison = (version) => version === 2;
      const runtime = await bench.run([failing('seat', orgId)]);
      const events = updatesOf(orgId, 2);
      await bench.publish(...events);
      const [letter] = await bench.eventuallyBuried(runtime, 1);
      expect(letter).toMatchObject({
        consumer: 'seat',
        reason: 'failed',
        attempts: 3,
        eventId: events[1]!.id,
        type: organisationUpdated.type,
        subject: orgId,
        topic: topics.org,
        cause: { name: 'TypeError', message: 'cannot take version 2' },
      });
      expect(letter!.cause.stack).toContain('describe-parking');
      expect(JSON.parse(letter!.envelope)).toEqual(events[1]);
      expect([typeof letter!.partition, /^\d+$/.test(letter!.offset), letter!.at instanceof Date]).toEqual([
        'number',
        true,
        true,
      ]);
    });

    test('each new dead letter is told, and a failure that passes is not', async () => {
      const bench = current();
      const [bad, good] = [anOrgId(), anOrgId()];
      const told: unknown[] = [];
      isPoison = (version) => version === 1;
      const onDeadLetter = ({ consumer, error }: { consumer: string; error: unknown }) =>
        void told.push([consumer, (error as Error).message]);
      const runtime = await bench.run([failing('seat', bad), writer('bill')], { onDeadLetter });
      await bench.publish(anOrganisationUpdate(bad, 1), anOrganisationUpdate(good, 1));
      const [letter] = await bench.eventuallyBuried(runtime, 1);
      expect(told).toEqual([['seat', letter!.cause.message]]);
    });

    test('a failure that passes is retried and leaves the order as it was', async () => {
      const bench = current();
      const orgId = anOrgId();
      let failures = 3;
      isPoison = (version) => version === 2 && (failures -= 1) >= 0;
      const runtime = await bench.run([failing('seat', orgId)]);
      await bench.publish(...updatesOf(orgId, 3));
      await bench.publish(anOrganisationUpdate(orgId, 4));
      await bench.eventuallyWrote('seat', [1, 2, 3, 4], orgId);
      expect(await runtime.deadLetters.list()).toEqual([]);
    });

    test('a replay that fails again leaves the dead letter with the new cause', async () => {
      const bench = current();
      const orgId = anOrgId();
      isPoison = () => true;
      const runtime = await bench.run([failing('seat', orgId)], { retryDelaysMs: [20] });
      await bench.publish(...updatesOf(orgId, 2));
      const [letter] = await bench.eventuallyBuried(runtime, 1);
      isPoison = (version) => version === 2;
      await runtime.deadLetters.replay(letter!.id);
      await bench.eventuallyWrote('seat', [1], orgId);
      await eventually(
        async () => (await runtime.deadLetters.list())[0]?.cause.message === 'cannot take version 2',
        'the second event is the dead letter now',
      );
      expect(await runtime.deadLetters.replay(letter!.id)).toBe(false);
    });
  });
}

function describeParkedKeys(): void {
  describe('parked keys', () => {
    test('a poison event parks its key for its consumer only; a replay goes on in order', async () => {
      const bench = current();
      const [bad, good] = [anOrgId(), anOrgId()];
      isPoison = (version) => version === 2;
      const runtime = await bench.run([failing('seat', bad), writer('bill')]);
      await bench.publish(...updatesOf(bad, 4), ...updatesOf(good, 4));
      await bench.eventuallyWrote('bill', [1, 2, 3, 4], bad);
      await bench.eventuallyWrote('seat', [1, 2, 3, 4], good);
      const [letter] = await bench.eventuallyBuried(runtime, 1);
      await bench.publish(anOrganisationUpdate(bad, 5), anOrganisationUpdate(good, 5));
      await bench.eventuallyWrote('seat', [1, 2, 3, 4, 5], good);
      await bench.eventuallyWrote('bill', [1, 2, 3, 4, 5], bad);
      expect(await bench.versions('seat', bad)).toEqual([1]);
      isPoison = () => false;
      expect(await runtime.deadLetters.replay(letter!.id)).toBe(true);
      await bench.eventuallyWrote('seat', [1, 2, 3, 4, 5], bad);
      await bench.eventuallyBuried(runtime, 0);
      await bench.publish(anOrganisationUpdate(bad, 6));
      await bench.eventuallyWrote('seat', [1, 2, 3, 4, 5, 6], bad);
    });

    test('a parked key stays parked over a restart, and its events wait', async () => {
      const bench = current();
      const orgId = anOrgId();
      isPoison = (version) => version === 1;
      const runtime = await bench.run([failing('seat', orgId)]);
      await bench.publish(...updatesOf(orgId, 2));
      await bench.eventuallyBuried(runtime, 1);
      await bench.restart();
      const next = await bench.run([failing('seat', orgId)]);
      await bench.publish(anOrganisationUpdate(orgId, 3));
      await eventually(async () => (await next.lag()) === 0, 'the event behind is dealt with');
      expect(await bench.versions('seat', orgId)).toEqual([]);
      isPoison = () => false;
      const [letter] = await next.deadLetters.list();
      await next.deadLetters.replay(letter!.id);
      await bench.eventuallyWrote('seat', [1, 2, 3], orgId);
    });

    test('a migration replays what one consumer failed at, and leaves the letters of others', async () => {
      const bench = current();
      const [orgId, other] = [anOrgId(), anOrgId()];
      isPoison = (version) => version === 1;
      const runtime = await bench.run([failing('seat', orgId), failing('bill', other)]);
      await bench.publish(...updatesOf(orgId, 3), ...updatesOf(other, 3));
      await bench.eventuallyBuried(runtime, 2);
      isPoison = () => false;
      const migration = replayDeadLetters('again', ['seat']);
      // A batch may run twice.
      for (let times = 0; times < 2; times += 1) expect(await migration.batch(bench.mongo, null)).toBe(null);
      await bench.eventuallyWrote('seat', [1, 2, 3], orgId);
      expect(await bench.eventuallyBuried(runtime, 1)).toMatchObject([{ consumer: 'bill' }]);
      expect(await bench.versions('bill', other)).toEqual([]);
    });

    test('events keep coming to a key while it is freed, and none is lost or overtaken', async () => {
      const bench = current();
      const orgId = anOrgId();
      isPoison = (version) => version === 1;
      const runtime = await bench.run([failing('seat', orgId)], { retryDelaysMs: [1] });
      const events = updatesOf(orgId, 120);
      await bench.publish(...events.slice(0, 20));
      const [letter] = await bench.eventuallyBuried(runtime, 1);
      isPoison = () => false;
      await runtime.deadLetters.replay(letter!.id);
      for (const event of events.slice(20)) await bench.publish(event);
      await bench.eventuallyWrote(
        'seat',
        events.map((_, index) => index + 1),
        orgId,
      );
    });
  });
}
