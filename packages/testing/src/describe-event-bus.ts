import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import type { EventEnvelope } from '@parley/protocol';
import type { EventBus } from '@parley/platform/event-bus';
import { anOrganisationUpdate, anOrgId, aProvidersChange, updatesOf, versionOf } from './builders.ts';
import { Listener, type EventBusFeatures, type EventLog, type MakeEventLog } from './bus-harness.ts';
import { describeChangingMembers, describeOutage } from './describe-disturbances.ts';
import { eventually } from './eventually.ts';
import { startTestStore, type TestStore } from './test-store.ts';

let store: TestStore;
let log: EventLog;
let bus: EventBus;

/** The promise of port EventBus. */
export function describeEventBus(name: string, makeLog: MakeEventLog, features: EventBusFeatures): void {
  describe(`event bus: ${name}`, () => {
    beforeAll(async () => {
      store = await startTestStore();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      log = await makeLog(store);
      bus = await log.open();
    });
    afterEach(() => bus.close());

    describeDelivery();
    describeOddRecords();
    describeGroups();
    describeProgress();
    if (features.survivesRestart) describeRestart();
    describeChangingMembers(() => bus);
    if (features.broker) describeOutage(() => bus, features.broker);
  });
}

async function reopen(options: { isWithoutSweeps?: boolean } = {}): Promise<void> {
  await bus.close();
  bus = await log.open(options);
}

function describeDelivery(): void {
  describe('delivery', () => {
    test('a work group gets everything from the beginning, in order per key, with ascending offsets', async () => {
      const [one, two] = [updatesOf(anOrgId(), 20), updatesOf(anOrgId(), 20)];
      await bus.publish(
        topics.org,
        one.flatMap((event, index) => [event, two[index]!]),
      );
      const listener = await Listener.join(bus);
      await eventually(() => listener.events.length === 40, 'all 40 events are delivered');
      for (const published of [one, two]) {
        const received = listener.events.filter((event) => event.subject === published[0]!.subject);
        expect(received).toEqual(published);
      }
      for (const partition of new Set(listener.batches.map((batch) => batch.partition))) {
        const offsets = listener.batches
          .filter((batch) => batch.partition === partition)
          .flatMap((batch) => batch.events.map(({ offset }) => BigInt(offset)));
        expect(offsets.every((offset, index) => index === 0 || offset > offsets[index - 1]!)).toBe(true);
      }
    });

    test('each event is woken for, not found by a sweep', async () => {
      await reopen({ isWithoutSweeps: true });
      const listener = await Listener.join(bus);
      const orgId = anOrgId();
      for (let version = 1; version <= 20; version += 1) {
        await bus.publish(topics.org, [anOrganisationUpdate(orgId, version)]);
        await eventually(() => listener.events.length === version, `event ${version} is delivered`);
      }
    });

    test('a batch holds no more than asked for', async () => {
      await bus.publish(topics.org, updatesOf(anOrgId(), 25));
      const listener = await Listener.join(bus, { batchSize: 10 });
      await eventually(() => listener.events.length === 25, 'all 25 events are delivered');
      expect(Math.max(...listener.batches.map((batch) => batch.events.length))).toBeLessThanOrEqual(10);
    });

    test('one subscription follows several topics', async () => {
      const listener = await Listener.join(bus, { topics: [topics.org, topics.chat] });
      const [update, change] = [anOrganisationUpdate(anOrgId(), 1), aProvidersChange(anOrgId(), 1)];
      await Promise.all([bus.publish(topics.org, [update]), bus.publish(topics.chat, [change])]);
      await eventually(() => listener.events.length === 2, 'both events are delivered');
      expect(new Set(listener.ids)).toEqual(new Set([update.id, change.id]));
    });

    test('concurrent publishers lose nothing and each keeps its order', async () => {
      const listener = await Listener.join(bus);
      const publishers = Array.from({ length: 10 }, () => updatesOf(anOrgId(), 15));
      await Promise.all(
        publishers.map(async (events) => {
          for (const event of events) await bus.publish(topics.org, [event]);
        }),
      );
      await eventually(() => listener.events.length === 150, 'all 150 events are delivered');
      for (const events of publishers) {
        expect(listener.events.filter((event) => event.subject === events[0]!.subject).map(versionOf)).toEqual(
          events.map(versionOf),
        );
      }
    });
  });
}

function describeOddRecords(): void {
  describe('odd records', () => {
    test('an event published twice comes at least once and never out of order', async () => {
      const events = updatesOf(anOrgId(), 3);
      await bus.publish(topics.org, events);
      await bus.publish(topics.org, events);
      const last = anOrganisationUpdate(anOrgId(), 1);
      await bus.publish(topics.org, [last]);
      const listener = await Listener.join(bus);
      await eventually(() => listener.ids.includes(last.id), 'the event behind the repeated ones is delivered');
      const repeated = listener.events.filter((event) => event.subject === events[0]!.subject).map(versionOf);
      expect(repeated.slice(0, 3)).toEqual([1, 2, 3]);
    });

    test('a malformed record is told as such and stops nothing', async () => {
      const [before, after] = updatesOf(anOrgId(), 2) as [EventEnvelope, EventEnvelope];
      const broken = {
        ...anOrganisationUpdate(anOrgId(), 1),
        sequence: 'not a number',
        secret: true,
      } as unknown as EventEnvelope;
      await bus.publish(topics.org, [before, broken, after]);
      const listener = await Listener.join(bus);
      await eventually(() => listener.events.length === 2, 'the events around the malformed record are delivered');
      const malformed = listener.batches.flatMap((batch) => batch.malformed);
      expect(malformed).toHaveLength(1);
      expect(malformed[0]!.raw).toContain(broken.id);
      expect(malformed[0]!.cause).toContain('sequence');
    });
  });
}

function describeGroups(): void {
  describe('groups', () => {
    test('a watch group starts at the end and keeps nothing', async () => {
      await bus.publish(topics.org, updatesOf(anOrgId(), 5));
      const first = await Listener.join(bus, { kind: 'watch' });
      const seen = anOrganisationUpdate(anOrgId(), 1);
      await bus.publish(topics.org, [seen]);
      await eventually(() => first.events.length === 1, 'the event published after joining is delivered');
      await first.close();
      await bus.publish(topics.org, updatesOf(anOrgId(), 5));
      const second = await Listener.join(bus, { kind: 'watch' });
      const later = anOrganisationUpdate(anOrgId(), 1);
      await bus.publish(topics.org, [later]);
      await eventually(() => second.events.length > 0, 'the second watcher hears of the last event');
      expect([first.ids, second.ids]).toEqual([[seen.id], [later.id]]);
    });

    test('a group that gets on slowly holds up no other', async () => {
      let release: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      await Listener.join(bus, { group: 'slow', deliver: () => gate });
      const quick = await Listener.join(bus, { group: 'quick' });
      await bus.publish(topics.org, updatesOf(anOrgId(), 3));
      await bus.publish(topics.org, updatesOf(anOrgId(), 3));
      await eventually(() => quick.events.length === 6, 'the quick group is through');
      release();
    });

    test('a batch that is not taken comes again before anything behind it', async () => {
      const taken: number[] = [];
      let refusals = 3;
      await Listener.join(bus, {
        batchSize: 2,
        deliver: async (batch) => {
          if (refusals > 0) {
            refusals -= 1;
            throw new Error('not now');
          }
          taken.push(...batch.events.map(({ event }) => versionOf(event)));
        },
      });
      await bus.publish(topics.org, updatesOf(anOrgId(), 6));
      await eventually(() => taken.length === 6, 'all six are taken in the end');
      expect(taken).toEqual([1, 2, 3, 4, 5, 6]);
    });

    test('members of one group share: each event is dealt with once, also when a member leaves', async () => {
      const orgs = Array.from({ length: 12 }, anOrgId);
      const first = await Listener.join(bus);
      const second = await Listener.join(bus);
      for (const orgId of orgs) await bus.publish(topics.org, updatesOf(orgId, 2));
      const both = (): EventEnvelope[] => [...first.events, ...second.events];
      await eventually(async () => both().length === 24 && (await first.lag()) === 0, 'both together got all');
      await first.close();
      for (const orgId of orgs) await bus.publish(topics.org, [anOrganisationUpdate(orgId, 3)]);
      await eventually(() => both().length === 36, 'the one that stayed gets the rest');
      for (const orgId of orgs)
        expect(
          both()
            .filter((event) => event.subject === orgId)
            .map(versionOf),
        ).toEqual([1, 2, 3]);
    }, 120_000);
  });
}

function describeProgress(): void {
  describe('progress', () => {
    test('lag counts what is published but not dealt with', async () => {
      let release: () => void = () => undefined;
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const listener = await Listener.join(bus, { deliver: () => gate });
      expect(await listener.lag()).toBe(0);
      await bus.publish(topics.org, updatesOf(anOrgId(), 7));
      await eventually(async () => (await listener.lag()) === 7, 'seven events are waiting');
      expect(await listener.lag(topics.org)).toBe(7);
      release();
      await eventually(async () => (await listener.lag()) === 0, 'nothing waits any more');
    });

    test('a batch that was not taken before its member left comes to the next one', async () => {
      let refusals = 0;
      const leaving = await Listener.join(bus, {
        deliver: () => {
          refusals += 1;
          return Promise.reject(new Error('not now'));
        },
      });
      const events = updatesOf(anOrgId(), 2);
      await bus.publish(topics.org, events);
      await eventually(() => refusals > 0, 'the batch is refused');
      await leaving.close();
      const next = await Listener.join(bus);
      await eventually(() => next.events.length >= 2, 'the next member gets it');
      expect(next.ids.slice(0, 2)).toEqual(events.map(({ id }) => id));
    });

    test('closing finishes the batch in hand and keeps its offset', async () => {
      const [first, second] = updatesOf(anOrgId(), 2) as [EventEnvelope, EventEnvelope];
      let isStarted = false;
      let isFinished = false;
      const listener = await Listener.join(bus, {
        deliver: async () => {
          isStarted = true;
          await new Promise((resolve) => setTimeout(resolve, 100));
          isFinished = true;
        },
      });
      await bus.publish(topics.org, [first]);
      await eventually(() => isStarted, 'the batch is being delivered');
      await listener.close();
      expect(isFinished).toBe(true);
      await bus.publish(topics.org, [second]);
      const next = await Listener.join(bus);
      await eventually(() => next.events.length > 0, 'the next member gets the next event');
      expect(next.ids).toEqual([second.id]);
    });
  });
}

function describeRestart(): void {
  describe('restart', () => {
    test('what publish resolved for is there after a restart', async () => {
      const events = updatesOf(anOrgId(), 30);
      await bus.publish(topics.org, events);
      await reopen();
      const listener = await Listener.join(bus);
      await eventually(() => listener.events.length === 30, 'all 30 events are delivered');
      expect(listener.events).toEqual(events);
    });

    test('a work group goes on where it was', async () => {
      const before = await Listener.join(bus);
      await bus.publish(topics.org, updatesOf(anOrgId(), 10));
      await eventually(() => before.events.length === 10, 'the first ten are dealt with');
      await reopen();
      const next = anOrganisationUpdate(anOrgId(), 1);
      await bus.publish(topics.org, [next]);
      const after = await Listener.join(bus);
      await eventually(() => after.events.length > 0, 'the event after the restart is delivered');
      expect(after.ids).toEqual([next.id]);
    });

    test('an event repeated after a restart comes at least once', async () => {
      const events = updatesOf(anOrgId(), 3);
      await bus.publish(topics.org, events);
      await reopen();
      await bus.publish(topics.org, [...events, anOrganisationUpdate(events[0]!.subject as never, 4)]);
      const listener = await Listener.join(bus);
      await eventually(() => listener.events.map(versionOf).includes(4), 'the fourth version is delivered');
      expect(new Set(listener.events.map(versionOf))).toEqual(new Set([1, 2, 3, 4]));
    });
  });
}
