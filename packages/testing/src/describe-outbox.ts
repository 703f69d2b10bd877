import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { organisationUpdated } from '@parley/contracts';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import type { EventBus } from '@parley/platform/event-bus';
import { anOrgId, silentLogger, versionOf } from './builders.ts';
import { firstOf, Listener, type MakeEventLog } from './bus-harness.ts';
import { eventually } from './eventually.ts';
import { OutboxBench } from './outbox-bench.ts';
import { startTestStore, type TestStore } from './test-store.ts';

let store: TestStore;
let bench: OutboxBench;

/** What a service may rely on between its transaction and the bus. */
export function describeOutbox(name: string, makeLog: MakeEventLog): void {
  describe(`outbox: ${name}`, () => {
    beforeAll(async () => {
      store = await startTestStore();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      bench = await OutboxBench.make(store, makeLog);
    });
    afterEach(() => bench.close());

    describeRecording();
    describeSequences();
    describeRelaying();
    describeInterruptions();
    describeSeveralRelays();
  });
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
const of = (events: readonly EventEnvelope[], orgId: OrgId): EventEnvelope[] =>
  events.filter((event) => event.subject === orgId);

function describeRecording(): void {
  describe('recording', () => {
    test('an event carries what it was recorded with and a sequence that counts per subject', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.startRelay();
      const [one, two] = [anOrgId(), anOrgId()];
      await bench.recordAll(one, [11, 12]);
      await bench.recordAll(two, [21]);
      await eventually(() => listener.events.length === 3, 'all three events are published');
      expect(of(listener.events, one).map((event) => event.sequence)).toEqual([1, 2]);
      expect(of(listener.events, two)[0]).toMatchObject({
        specversion: '1.0',
        source: 'org',
        type: organisationUpdated.type,
        subject: two,
        tenantid: two,
        sequence: 1,
        causationid: null,
        data: { orgId: two, version: 21 },
      });
    });

    test('an aborted transaction leaves neither an event nor a gap', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.startRelay();
      const orgId = anOrgId();
      await bench.recordAll(orgId, [1]);
      await bench.runAndUndo(async (tx) => tx.record(organisationUpdated, { orgId, version: 2 }));
      await bench.recordAll(orgId, [3]);
      await eventually(() => listener.events.length === 2, 'both committed events are published');
      expect(listener.events.map((event) => [event.sequence, versionOf(event)])).toEqual([
        [1, 1],
        [2, 3],
      ]);
    });

    test('data that does not fit the definition is refused', async () => {
      const orgId = anOrgId();
      await bench.mongo.applyIndexes();
      await expect(
        bench.run(async (tx) => tx.record(organisationUpdated, { orgId, version: 'one' as never })),
      ).rejects.toThrow('version');
    });
  });
}

function describeSequences(): void {
  describe('sequences', () => {
    test('a given sequence is kept', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.startRelay();
      const orgId = anOrgId();
      await bench.record(orgId, 1, 41);
      await bench.record(orgId, 2, 42);
      await eventually(() => listener.events.length === 2, 'both events are published');
      expect(listener.events.map((event) => event.sequence)).toEqual([41, 42]);
    });

    test('concurrent transactions on one subject give contiguous sequences in order of publication', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.startRelay();
      const orgId = anOrgId();
      await Promise.all(range(1, 20).map((version) => bench.record(orgId, version)));
      await eventually(() => listener.events.length === 20, 'all 20 events are published');
      expect(listener.events.map((event) => event.sequence)).toEqual(range(1, 20));
    }, 120_000);
  });
}

function describeRelaying(): void {
  describe('relaying', () => {
    test('a commit is published at once, not by a sweep', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.startRelay({ sweepMs: 3_600_000 });
      const orgId = anOrgId();
      for (const version of range(1, 10)) {
        await bench.recordAll(orgId, [version]);
        await eventually(() => listener.events.length === version, `version ${version} is published`);
      }
    });

    test('what is recorded while others are on their way follows at once', async () => {
      const listener = await Listener.join(bench.bus);
      const [first, second] = [anOrgId(), anOrgId()];
      let recording: Promise<void> | null = null;
      const publish: EventBus['publish'] = async (topic, events) => {
        await (recording ??= bench.record(second, 1));
        await bench.bus.publish(topic, events);
      };
      await bench.startRelay({ bus: { publish } as EventBus, sweepMs: 3_600_000 });
      await bench.record(first, 1);
      await eventually(() => of(listener.events, second).length === 1, 'the second is not left to a sweep');
    });

    test('a lost ring costs a sweep, no event', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.startRelay();
      const orgId = anOrgId();
      await bench.recordAll(orgId, [1]);
      await eventually(() => listener.events.length === 1, 'the relay is up');
      await bench.record(orgId, 2);
      await eventually(() => listener.events.length === 2, 'the event is published without a ring');
    });

    test('what was recorded while no relay ran is published in order when one starts', async () => {
      const listener = await Listener.join(bench.bus);
      await bench.mongo.applyIndexes();
      const orgs = [anOrgId(), anOrgId(), anOrgId()];
      for (const orgId of orgs) for (const version of range(1, 15)) await bench.record(orgId, version);
      const relay = await bench.startRelay();
      await eventually(() => listener.events.length === 45, 'all 45 events are published');
      for (const orgId of orgs) expect(of(listener.events, orgId).map(versionOf)).toEqual(range(1, 15));
      await eventually(async () => (await relay.backlog()) === 0, 'nothing is left to publish');
    });

    test('closing publishes what is recorded', async () => {
      const relay = await bench.startRelay();
      await bench.record(anOrgId(), 1);
      await relay.close();
      expect(await relay.backlog()).toBe(0);
    });

    test('a published row is kept', async () => {
      const relay = await bench.startRelay();
      await bench.record(anOrgId(), 1);
      await eventually(async () => (await relay.backlog()) === 0, 'the event is published');
      expect(await bench.mongo.connection.collection('outbox').countDocuments()).toBe(1);
    });

    test('rows that are published already slow nothing down', async () => {
      const listener = await Listener.join(bench.bus);
      const relay = await bench.startRelay();
      const orgs = Array.from({ length: 30 }, anOrgId);
      for (const _ of range(1, 20)) {
        await bench.run(async (tx) => {
          for (const orgId of orgs) for (const version of [1, 2]) tx.record(organisationUpdated, { orgId, version });
        });
      }
      await eventually(
        async () => listener.events.length === 1_200 && (await relay.backlog()) === 0,
        'all 1,200 events are published',
      );
      await bench.recordAll(orgs[0]!, [99]);
      await eventually(() => listener.events.some((event) => versionOf(event) === 99), 'the next one is published');
    }, 120_000);
  });
}

function describeInterruptions(): void {
  describe('interruptions', () => {
    test('a relay that ends between publishing and marking loses nothing; the next one repeats with the same ids', async () => {
      const listener = await Listener.join(bench.bus);
      const orgId = anOrgId();
      let isDead = false;
      const failpoint = (): Promise<void> => {
        isDead = true;
        return Promise.reject(new Error('the process would be gone here'));
      };
      const first = await bench.startRelay({ failpoint });
      await bench.recordAll(orgId, range(1, 3));
      await eventually(() => isDead && listener.events.length >= 3, 'the events are published but not marked');
      await first.close();
      await bench.startRelay();
      await bench.recordAll(orgId, [4]);
      await eventually(() => listener.events.some((event) => versionOf(event) === 4), 'the next event is published');
      const ids = new Map(listener.events.map((event) => [event.sequence, event.id]));
      expect([...ids.keys()]).toEqual([1, 2, 3, 4]);
      expect(new Set(listener.ids).size).toBe(4);
    });

    test('events that wait for the bus are published when it answers', async () => {
      const orgId = anOrgId();
      const old = bench.bus;
      await old.close();
      let failures = 0;
      const logger = Object.assign(silentLogger(), { warn: () => void (failures += 1) });
      await bench.recordAll(orgId, [1, 2]);
      const relay = await bench.startRelay({ bus: old, logger });
      await eventually(() => failures > 0, 'publishing has failed');
      expect(await relay.backlog()).toBe(2);
      await relay.close();
      await bench.reopenBus();
      const listener = await Listener.join(bench.bus);
      await bench.startRelay();
      await eventually(() => listener.events.length === 2, 'both events are published');
    });
  });
}

const untilShared = () =>
  eventually(async () => expect(await bench.shardsHeld()).toEqual([8, 8]), 'each relay has half of the shards');

function describeSeveralRelays(): void {
  describe('several relays', () => {
    test('two share the shards; what one leaves behind the other takes over', async () => {
      const listener = await Listener.join(bench.bus);
      const leases = { leaseMs: 3_000 };
      const [first] = [await bench.startRelay(leases), await bench.startRelay(leases)];
      const orgs = Array.from({ length: 24 }, anOrgId);
      const untilEachHas = (versions: readonly number[]) =>
        eventually(() => {
          for (const orgId of orgs) expect(firstOf(listener.events, orgId).map(versionOf)).toEqual(versions);
        }, `every subject has ${versions.length} events`);
      await untilShared();
      for (const orgId of orgs) await bench.recordAll(orgId, [1]);
      await untilEachHas([1]);
      await first!.close();
      for (const orgId of orgs) await bench.recordAll(orgId, [2]);
      await untilEachHas([1, 2]);
    });

    test('two that stay have half of the shards each', async () => {
      const leases = { leaseMs: 3_000 };
      for (const _ of [1, 2]) await bench.startRelay(leases);
      await untilShared();
    });

    test('one that ends in order leaves its shards to others at once', async () => {
      const listener = await Listener.join(bench.bus);
      const leases = { leaseMs: 60_000 };
      const first = await bench.startRelay(leases);
      await bench.record(anOrgId(), 1);
      await eventually(() => listener.events.length === 1, 'the first one publishes');
      await first.close();
      await bench.startRelay(leases);
      await bench.record(anOrgId(), 1);
      await eventually(() => listener.events.length === 2, 'the second one publishes');
    });

    test('a relay without a lease publishes nothing until the lease of the other has ended', async () => {
      const listener = await Listener.join(bench.bus);
      const leases = { leaseMs: 600_000 };
      const dead = await bench.startRelay({ ...leases, bus: await bench.closedBus() });
      await eventually(async () => expect(await bench.shardsHeld()).toEqual([16]), 'the dead relay has all shards');
      const orgs = Array.from({ length: 24 }, anOrgId);
      for (const orgId of orgs) await bench.recordAll(orgId, [1]);
      // Before a relay closes it publishes all that it may.
      await (await bench.startRelay(leases)).close();
      expect(listener.events).toEqual([]);
      await dead.close();
      await bench.startRelay(leases);
      await eventually(() => listener.events.length >= 24, 'the shards of the dead relay are taken over');
    });
  });
}
