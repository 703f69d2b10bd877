import {
  EmbeddedEventBus,
  type EventBatch,
  type EventBus,
  type RunningSubscription,
  type Subscription,
} from '@parley/platform/event-bus';
import { Mongo } from '@parley/platform/mongo';
import { topics } from '@parley/contracts';
import type { EventEnvelope, Topic } from '@parley/protocol';
import { silentLogger } from './builders.ts';
import type { TestStore } from './test-store.ts';

/** One event log that can be opened again, as after a restart. */
export type EventLog = {
  /** `isWithoutSweeps`: finds nothing by looking every so often, where it does so otherwise. */
  open(options?: { readonly isWithoutSweeps?: boolean }): Promise<EventBus>;
};
/** An event log that nobody has used. */
export type MakeEventLog = (store: TestStore) => Promise<EventLog>;

/** What an adapter may do differently within the port's promise. */
export type EventBusFeatures = {
  /** Records and offsets outlive the process. */
  readonly survivesRestart: boolean;
  /** The server behind it, if there is one that can go away while its clients live, and for how long it does. */
  readonly broker: {
    readonly server: { kill(): Promise<void>; restart(): Promise<void> };
    readonly outageMs: number;
  } | null;
};

export const makeEmbeddedEventLog: MakeEventLog = async (store) => {
  const uri = store.freshDatabase();
  return {
    open: async ({ isWithoutSweeps = false } = {}) =>
      EmbeddedEventBus.open({
        mongo: await Mongo.connect(uri, { link: store.link }),
        logger: silentLogger(),
        redeliveryMs: 20,
        ...(isWithoutSweeps && { sweepMs: 3_600_000 }),
      }),
  };
};

/** Keeps what a group gets. */
export class Listener {
  readonly batches: EventBatch[] = [];
  private subscription: RunningSubscription | null = null;

  static async join(bus: EventBus, options: Partial<Subscription> = {}): Promise<Listener> {
    const listener = new Listener();
    listener.subscription = await bus.subscribe({
      group: 'listener',
      kind: 'work',
      topics: [topics.org],
      batchSize: 100,
      deliver: async (batch) => {
        listener.batches.push(batch);
      },
      ...options,
    });
    return listener;
  }

  get events(): EventEnvelope[] {
    return this.batches.flatMap((batch) => batch.events.map(({ event }) => event));
  }

  get ids(): string[] {
    return this.events.map((event) => event.id);
  }

  lag(topic?: Topic): Promise<number> {
    return this.subscription?.lag(topic) ?? Promise.resolve(0);
  }

  async close(): Promise<void> {
    await this.subscription?.close();
  }
}

/** The events of a subject, each where it came first: repetitions are allowed, overtaking is not. */
export function firstOf(events: readonly EventEnvelope[], subject: string): EventEnvelope[] {
  const seen = new Set<string>();
  return events.filter((event) => event.subject === subject && !seen.has(event.id) && seen.add(event.id));
}
