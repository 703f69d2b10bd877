import type { EventEnvelope, Topic } from '@parley/protocol';
import type { Mongo, Transaction } from '../../rows/mongo/index.ts';

export type LoggedEvent = { readonly topic: Topic; readonly event: EventEnvelope };

/** Is one run of a transaction that adds events to the log: they are there with its commit, or not at all. */
export type EventTransaction = {
  readonly session: Transaction['session'];
  /** Adds events in the given order. What comes before the commit afterwards keeps readers of their topics waiting. */
  append(events: readonly LoggedEvent[]): Promise<void>;
};

/**
 * The event log where it lies in the store of the services: a service's transaction writes events into it itself. Promise:
 * ordered per key, in the order of the commits; what is not committed is never read, what is committed always is.
 */
export abstract class LocalLog {
  /** Runs a transaction of the service's database, again on a write conflict: see `Mongo.transaction`. */
  abstract transaction<Result>(mongo: Mongo, run: (tx: EventTransaction) => Promise<Result>): Promise<Result>;
  /** Returns the ids of the newest events of a topic, a thousand of them if there are that many. */
  abstract newestIds(topic: Topic): Promise<ReadonlySet<string>>;
}
