import { describe, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import type { EventEnvelope, OrgId } from '@parley/protocol';
import type { EventBus } from '@parley/platform/event-bus';
import { setTimeout as wait } from 'node:timers/promises';
import { anOrganisationUpdate, anOrgId, versionOf } from './builders.ts';
import { firstOf, Listener, type EventBusFeatures } from './bus-harness.ts';
import { eventually } from './eventually.ts';

/**
 * Publishes versions of several organisations one after the other, each until it is taken, as the outbox relay does.
 */
class Stream {
  readonly orgs: readonly OrgId[] = Array.from({ length: 8 }, anOrgId);
  readonly published: EventEnvelope[] = [];
  refusals = 0;
  private isEnding = false;
  private readonly running: Promise<void>;

  constructor(private readonly bus: EventBus) {
    this.running = this.run();
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await this.running;
  }

  /** Nothing is missing in what came, and nothing came before what it follows. */
  expectIn(came: readonly EventEnvelope[]): void {
    for (const orgId of this.orgs) {
      const versions = this.published.filter((event) => event.subject === orgId).map(versionOf);
      expect(firstOf(came, orgId).map(versionOf)).toEqual(versions);
    }
  }

  isIn(came: readonly EventEnvelope[]): boolean {
    const ids = new Set(came.map((event) => event.id));
    return this.published.every((event) => ids.has(event.id));
  }

  private async run(): Promise<void> {
    for (let version = 1; !this.isEnding; version += 1) {
      const events = this.orgs.map((orgId) => anOrganisationUpdate(orgId, version));
      await this.publish(events);
      this.published.push(...events);
      await wait(10);
    }
  }

  private async publish(events: readonly EventEnvelope[]): Promise<void> {
    for (;;) {
      try {
        return await this.bus.publish(topics.org, events);
      } catch {
        this.refusals += 1;
        await wait(100);
      }
    }
  }
}

export function describeChangingMembers(currentBus: () => EventBus): void {
  describe('changing members', () => {
    test('members come and go while events flow: none is lost, none overtakes another of its key', async () => {
      const bus = currentBus();
      const came: EventEnvelope[] = [];
      const join = (): Promise<Listener> =>
        Listener.join(bus, {
          batchSize: 5,
          deliver: async (batch) => {
            await wait(5);
            came.push(...batch.events.map(({ event }) => event));
          },
        });
      const first = await join();
      const stream = new Stream(bus);
      await eventually(() => came.length > 20, 'events flow');
      const second = await join();
      await wait(500);
      const third = await join();
      await first.close();
      await wait(500);
      await second.close();
      await stream.end();
      await eventually(() => stream.isIn(came), 'everything published has come');
      stream.expectIn(came);
      await eventually(async () => (await third.lag()) === 0, 'nothing waits');
    }, 60_000);
  });
}

export function describeOutage(
  currentBus: () => EventBus,
  { server: broker, outageMs }: NonNullable<EventBusFeatures['broker']>,
): void {
  describe('outage', () => {
    test(`the broker is killed and gone for ${outageMs / 1_000} s: publishing rejects, then all goes on by itself, in order and without loss`, async () => {
      const bus = currentBus();
      const worker = await Listener.join(bus, { batchSize: 10 });
      const watcher = await Listener.join(bus, { kind: 'watch' });
      const stream = new Stream(bus);
      await eventually(() => worker.events.length > 50 && watcher.events.length > 50, 'events flow');

      await broker.kill();
      const countAtOutage = worker.events.length;
      await wait(outageMs);
      await eventually(() => expect(stream.refusals).toBeGreaterThan(0), 'publishing is refused', 60_000);

      await broker.restart();
      await eventually(
        () => worker.events.length > countAtOutage + 100 && watcher.events.length > countAtOutage + 100,
        'events flow again',
        60_000,
      );
      await stream.end();
      for (const listener of [worker, watcher]) {
        await eventually(() => stream.isIn(listener.events), 'everything published has come');
        stream.expectIn(listener.events);
        await eventually(async () => (await listener.lag()) === 0, 'nothing waits');
      }
    }, 300_000);

    test('a consumer that joins after the outage goes on where the group was', async () => {
      const bus = currentBus();
      const before = await Listener.join(bus);
      const orgId = anOrgId();
      await bus.publish(topics.org, [anOrganisationUpdate(orgId, 1)]);
      await eventually(() => before.events.length === 1, 'the first event is dealt with');
      await before.close();
      await broker.restart();
      await eventually(async () => bus.publish(topics.org, [anOrganisationUpdate(orgId, 2)]), 'publishing works again');
      const after = await Listener.join(bus);
      await eventually(() => after.events.length > 0, 'the second event is delivered');
      expect(after.events.map(versionOf)).toEqual([2]);
    }, 60_000);
  });
}
