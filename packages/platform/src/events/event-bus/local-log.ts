import type { EventEnvelope, Topic } from '@parley/protocol';
import type { Mongo, Transaction } from '../../rows/mongo/index.ts';

export type LoggedEvent = { readonly topic: Topic; readonly event: EventEnvelope };

/** One run of a transaction that adds events: all of them appear with the commit, or none does. */
export type EventTransaction = {
  readonly session: Transaction['session'];
  /** Adds events in the given order. Readers of their topics wait from here until the transaction has ended. */
  append(events: readonly LoggedEvent[]): Promise<void>;
};

/**
 * The event log in the same store as the services: a service's transaction writes events to it directly. Guarantees
 * commit order per key, and that readers get every committed event and no other.
 */
export abstract class LocalLog {
  /** Runs a transaction of the service's database, again after a write conflict; see `Mongo.transaction`. */
  abstract transaction<Result>(mongo: Mongo, run: (tx: EventTransaction) => Promise<Result>): Promise<Result>;
  /** Adds one event without a transaction. */
  abstract append(logged: LoggedEvent): Promise<void>;
  /** Returns the ids of the newest thousand events of a topic. */
  abstract newestIds(topic: Topic): Promise<ReadonlySet<string>>;
}
