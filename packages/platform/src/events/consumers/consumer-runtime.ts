import type { Topic } from '@parley/protocol';
import type { Logger } from '../../base/logging/index.ts';
import type { Mongo } from '../../rows/mongo/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { callContext } from '../../base/call-context.ts';
import { commitWork, originOf, type RecordingTransaction } from '../work/recording-transaction.ts';
import type { EventBatch, EventBus, RunningSubscription } from '../event-bus/event-bus.ts';
import { Consumer, type ConsumerSurroundings } from './consumer.ts';
import { assertDistinctConsumers, EventRejected, type EventHandler } from './consumer-handlers.ts';
import { consumerStoreOf, type ConsumerStore } from './consumer-store.ts';
import { DeadLetters, type DeadLetter } from './dead-letters.ts';
import { GatheredBatches } from './gathered-batches.ts';
import { Inbox } from './inbox.ts';
import { JointDelivery } from './joint-delivery.ts';
import { ParkedKeyRetrier } from './parked-key-retrier.ts';
import { StoreHealth } from './store-health.ts';

export type ConsumerRuntimeOptions = {
  readonly bus: EventBus;
  /** The service's own database, which also holds inbox, offsets, parked keys and dead letters. */
  readonly mongo: Mongo;
  /** The consumer group: the name of the service, or of the service and a role. */
  readonly group: string;
  readonly logger: Logger;
  /** Takes the events that handlers record. */
  readonly outbox: Outbox;
  /** Pauses before the retries of a failed event; as many retries as entries. */
  readonly retryDelaysMs?: readonly [number, ...number[]];
  /** Waits this long for events of other topics to share a transaction; by default 0. */
  readonly gatherMs?: number | undefined;
  readonly failpoint?: (name: 'effect-committed') => Promise<void>;
  /** Called for each event that becomes a dead letter. */
  readonly onDeadLetter?: ConsumerSurroundings['onDeadLetter'];
};

const defaultRetryDelaysMs: readonly [number, ...number[]] = [500, 2_500, 6_500];
const batchSize = 256;

/**
 * Runs a service's event handlers. Each consumer's effect happens once per event, in order per key. A failed event
 * parks its key for that consumer: the key's events wait while it is retried, other keys and consumers continue. The
 * constructor registers the collections: call `Mongo.applyIndexes` between it and `start`.
 */
export class ConsumerRuntime {
  readonly deadLetters: DeadLetters;
  private readonly store: ConsumerStore;
  private readonly health: StoreHealth;
  private readonly consumers = new Map<string, Consumer>();
  private readonly retrier: ParkedKeyRetrier;
  private readonly batches: GatheredBatches;
  private readonly surroundings: ConsumerSurroundings;
  private subscription: RunningSubscription | null = null;

  constructor(private readonly options: ConsumerRuntimeOptions) {
    this.store = consumerStoreOf(options.mongo);
    this.health = new StoreHealth(options.mongo);
    this.deadLetters = new DeadLetters(options.mongo);
    const shared = {
      store: this.store,
      inbox: new Inbox(this.store.inbox),
      health: this.health,
      logger: options.logger,
      service: options.outbox.source,
      commit: <Result>(act: (tx: RecordingTransaction) => Promise<Result>) => this.commit(act),
      retryDelaysMs: options.retryDelaysMs ?? defaultRetryDelaysMs,
      failpoint: options.failpoint ?? (() => Promise.resolve()),
      onDeadLetter: options.onDeadLetter ?? (() => undefined),
    };
    this.retrier = new ParkedKeyRetrier(shared, this.consumers);
    this.surroundings = { ...shared, retryIn: (ms) => this.retrier.wakeIn(ms) };
    const delivery = new JointDelivery(this.surroundings);
    const { gatherMs = 0 } = options;
    this.batches = new GatheredBatches(gatherMs, (some) => delivery.take(some, [...this.consumers.values()]));
  }

  /** Throws if a consumer has no name, or the name of another. Does nothing without handlers. */
  async start(handlers: readonly EventHandler[]): Promise<void> {
    assertDistinctConsumers(handlers);
    for (const handler of handlers.toSorted((one, other) => rankOf(one) - rankOf(other)))
      this.consumers.set(handler.consumer, new Consumer(this.surroundings, handler));
    const { topics } = this;
    if (topics.length === 0) return;
    this.retrier.start();
    this.subscription = await this.options.bus.subscribe({
      group: this.options.group,
      kind: 'work',
      topics,
      batchSize,
      deliver: (batch) => this.deliver(batch),
    });
  }

  /** Counts published events that this service hasn't handled, of all topics or of one. */
  async lag(topic?: Topic): Promise<number> {
    return (await this.subscription?.lag(topic)) ?? 0;
  }

  /** What it reads. */
  get topics(): readonly Topic[] {
    const events = [...this.consumers.values()].flatMap(({ handler }) => handler.events);
    return [...new Set(events.map(({ topic }) => topic))];
  }

  /**
   * Handles a dead letter in a transaction that is rolled back, and returns the error that prevents it, or null.
   * Handlers have no other effect that can't be repeated, so this has none either.
   */
  async tryLetter({
    consumer,
    envelope,
  }: Pick<DeadLetter, 'consumer' | 'envelope'>): Promise<{ error: unknown } | null> {
    const handler = this.consumers.get(consumer);
    if (!handler) return { error: new EventRejected(`${consumer} is no consumer of this service any more.`) };
    const isOutage = this.health.attempt();
    try {
      await this.commit(async (tx) => {
        await handler.retake(envelope, tx);
        throw new ThrownAway('A dry run writes nothing.');
      });
    } catch (error) {
      if (error instanceof ThrownAway) return null;
      if (isOutage(error)) throw error;
      return { error };
    }
    return null;
  }

  /** Finishes the current work, then stops. */
  async close(): Promise<void> {
    await this.subscription?.close();
    await this.retrier.close();
    this.health.close();
  }

  private commit<Result>(act: (tx: RecordingTransaction) => Promise<Result>): Promise<Result> {
    const { outbox } = this.options;
    const own = { actor: `service:${outbox.source}`, onbehalfof: null, ...originOf(callContext.current()) };
    return commitWork(this.options, own, act);
  }

  private async deliver(batch: EventBatch): Promise<void> {
    await this.buryMalformed(batch);
    await this.batches.add(batch, batch.events.length === batchSize);
  }

  private async buryMalformed({ topic, partition, malformed }: EventBatch): Promise<void> {
    for (const { offset, raw, cause } of malformed) {
      this.options.logger.error(
        { topic, partition, offset, cause },
        'a record is no event envelope; kept as a dead letter',
      );
      const error = new MalformedRecord(cause);
      this.surroundings.onDeadLetter({ consumer: this.options.group, error, envelope: raw });
      const letter = {
        consumer: this.options.group,
        key: null,
        reason: 'malformed' as const,
        cause: { name: error.name, code: null, message: cause, stack: null },
        attempts: 1,
        at: new Date(),
        replayedAt: null,
        eventId: '',
        tenant: null,
        type: '',
        subject: '',
        topic,
        partition,
        offset,
        envelope: raw,
      };
      const _id = `${this.options.group}|${topic}|${partition}|${offset}`;
      await this.store.deadLetters().upsert({ _id }, { $set: letter });
    }
  }
}

/**
 * Returns the rank by which a transaction's handlers are sorted. Handlers that change contended rows run last, so
 * transactions lock these rows only briefly.
 */
function rankOf(handler: EventHandler): number {
  if (handler.kind !== 'effect') return 2;
  return handler.mostTogether === undefined ? 0 : 1;
}

class ThrownAway extends Error {}

/** A record on a topic that is not one of Parley's events. */
class MalformedRecord extends Error {
  override readonly name = 'MalformedRecord';
}
