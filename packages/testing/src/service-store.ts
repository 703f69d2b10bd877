import { afterAll } from '@jest/globals';
import { Clock } from '@parley/platform/clock';
import { MemoryDoorbell, type Doorbell } from '@parley/platform/doorbell';
import { Mongo } from '@parley/platform/mongo';
import { Outbox } from '@parley/platform/outbox';
import { Work } from '@parley/platform/work';
import type { EventEnvelope } from '@parley/protocol';
import { startTestStore } from './test-store.ts';
import { recordedEvents } from './recorded-events.ts';

/** A clock that stands still until it is told to go on. */
export class FakeClock extends Clock {
  constructor(private time = new Date('2026-11-21T10:00:00.000Z')) {
    super();
  }

  now(): Date {
    return this.time;
  }

  advance(ms: number): void {
    this.time = new Date(this.time.getTime() + ms);
  }
}

/** What a spec needs to construct a service's classes on a database of its own. */
export type ServiceStore = {
  readonly mongo: Mongo;
  readonly work: Work;
  readonly outbox: Outbox;
  /** Rings where a transaction queues a job. */
  readonly doorbell: Doorbell;
  readonly clock: FakeClock;
  /** Makes the indexes of what was constructed by now. To be called once, before the first query. */
  ready(): Promise<void>;
  /** What was recorded so far, oldest first. */
  recorded(): Promise<EventEnvelope[]>;
};

/** `const { mongo, work, clock, ready } = await testStore();` at the top of a spec; it closes by itself. */
export async function testStore(): Promise<ServiceStore> {
  const store = await startTestStore();
  const mongo = await Mongo.connect(store.freshDatabase(), { link: store.link });
  afterAll(async () => {
    await mongo.close();
    await store.close();
  });
  const clock = new FakeClock();
  const doorbell = new MemoryDoorbell();
  const outbox = new Outbox({ mongo, doorbell, source: 'test', clock });
  return {
    mongo,
    doorbell,
    work: new Work({ outbox }),
    outbox,
    clock,
    ready: () => mongo.applyIndexes(),
    recorded: () => recordedEvents(mongo),
  };
}
