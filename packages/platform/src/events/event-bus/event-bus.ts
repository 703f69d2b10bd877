import type { EventEnvelope, Topic } from '@parley/protocol';

/** A stretch of one partition, in order. `partition` is 0 in the embedded adapter. */
export type EventBatch = {
  readonly topic: Topic;
  readonly partition: number;
  /**
   * Each event with its offset, ascending. Offsets are opaque but comparable within a partition as decimal integers.
   */
  readonly events: readonly RecordedEvent[];
  /** Records of this stretch that are no event envelope; their offsets count as dealt with too. */
  readonly malformed: readonly MalformedRecord[];
  /** Offset of the last record of the stretch, malformed or not. */
  readonly lastOffset: string;
};

export type RecordedEvent = { readonly offset: string; readonly event: EventEnvelope };
/** `raw` is the record as text, `cause` what is wrong with it. */
export type MalformedRecord = { readonly offset: string; readonly raw: string; readonly cause: string };

/**
 * `work`: members of a group share the partitions, progress is kept across restarts and starts at the log's beginning.
 * `watch`: one group per process, starts at the log's end, keeps nothing, is gone at close.
 */
export type Subscription = {
  readonly group: string;
  readonly kind: 'work' | 'watch';
  readonly topics: readonly Topic[];
  /** Largest batch to deliver. */
  readonly batchSize: number;
  /**
   * Resolves when the batch is dealt with: only then may its offset be kept. Rejecting makes the bus deliver the same
   * batch again after a pause, without end: poison events are the consumer runtime's business, not the bus's.
   */
  deliver(batch: EventBatch): Promise<void>;
};

export type RunningSubscription = {
  /** Events published but not yet dealt with by this group, over all partitions; of one topic where it is named. */
  lag(topic?: Topic): Promise<number>;
  /** Finishes the batch in hand, keeps its offset, stops. Repeating is harmless. */
  close(): Promise<void>;
};

/**
 * The event log. Promise: at least once; ordered per key (`subject`); each group progresses alone; what `publish`
 * resolved for survives a crash; malformed records never stop a partition. Called by the outbox relay only: services
 * record events by `tx.record` in the unit of work that changes the state they tell of.
 */
export abstract class EventBus {
  /** Appends in the given order; resolves when durable. Repeating may append again: consumers see duplicates by id. */
  abstract publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void>;
  /**
   * A watcher has its place when this resolves; a member of a work group may still be waiting for the other members.
   */
  abstract subscribe(subscription: Subscription): Promise<RunningSubscription>;
  /** Closes all subscriptions, then the connection. */
  abstract close(): Promise<void>;
}
