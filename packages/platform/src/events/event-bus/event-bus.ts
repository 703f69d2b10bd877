import type { EventEnvelope, Topic } from '@parley/protocol';

/** Consecutive events of one partition. `partition` is 0 in the embedded adapter. */
export type EventBatch = {
  readonly topic: Topic;
  readonly partition: number;
  /**
   * The events with their offsets, ascending. Offsets are opaque, but comparable within a partition as decimal
   * integers.
   */
  readonly events: readonly RecordedEvent[];
  /** Records of this stretch that are no event envelopes; their offsets count as handled too. */
  readonly malformed: readonly MalformedRecord[];
  /** The offset of the last record of the stretch, malformed or not. */
  readonly lastOffset: string;
};

export type RecordedEvent = { readonly offset: string; readonly event: EventEnvelope };
/** `raw` is the record as text, `cause` the error in it. */
export type MalformedRecord = { readonly offset: string; readonly raw: string; readonly cause: string };

/**
 * `work`: members of a group share the partitions; progress is stored across restarts and starts at the log's
 * beginning. `watch`: one group per process; starts at the log's end, stores nothing, and is gone at close.
 */
export type Subscription = {
  readonly group: string;
  readonly kind: 'work' | 'watch';
  readonly topics: readonly Topic[];
  /** The largest number of records in a delivered batch. */
  readonly batchSize: number;
  /**
   * Resolves when the batch is handled: only then can its offset be stored. If it rejects, the bus delivers the same
   * batch again after a pause, without end: the consumer runtime has to deal with events that always fail.
   */
  deliver(batch: EventBatch): Promise<void>;
};

export type RunningSubscription = {
  /** Counts published events that this group hasn't handled, over all partitions, of all topics or of one. */
  lag(topic?: Topic): Promise<number>;
  /** Finishes the current batch, stores its offset, and stops. Idempotent. */
  close(): Promise<void>;
};

/**
 * The event log. Guarantees delivery at least once and order per key (`subject`); each group progresses independently;
 * events survive a crash once `publish` has resolved; malformed records never stop a partition. Only the outbox relay
 * calls it: services record events by `tx.record` in the unit of work that changes their state, or alone by
 * `Work.record`.
 */
export abstract class EventBus {
  /**
   * Appends in the given order; resolves when stored. A retry can append events again: consumers recognise duplicates
   * by id.
   */
  abstract publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void>;
  /** Resolves when a watcher has its position; a member of a work group can still be waiting for the other members. */
  abstract subscribe(subscription: Subscription): Promise<RunningSubscription>;
  /** Closes all subscriptions, then the connection. */
  abstract close(): Promise<void>;
}
