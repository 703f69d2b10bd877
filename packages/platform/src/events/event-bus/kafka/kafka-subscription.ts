import type { Topic } from '@parley/protocol';
import type { Admin, Consumer } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { RunningSubscription, Subscription } from '../event-bus.ts';
import { BatchDelivery } from './batch-delivery.ts';
import { kafkaClientOf, type KafkaConnection } from './kafka-client.ts';
import { explain, isPassing } from './kafka-failures.ts';

export type KafkaSubscriptionOptions = {
  readonly connection: KafkaConnection;
  readonly subscription: Subscription;
  /** The group's name on the cluster; each watcher adds a random id to it. */
  readonly group: string;
  readonly nameOf: (topic: Topic) => string;
  readonly topicOf: (name: string) => Topic;
  readonly admin: () => Promise<Admin>;
  readonly redeliveryMs: number;
  readonly onCrash: (error: Error) => void;
};

const rejoinMs = 500;
const mostTries = 10;
const longestStartMs = 90_000;
/**
 * Limits how long a start waits for its partitions. After a kill, the group waits ten seconds until the killed member's
 * session ends, and the start needn't wait for that.
 */
const startPatienceMs = 3_000;
/** Limits how long an empty fetch delays `close`. A fetch with a record returns immediately. */
const longestFetchMs = 250;
const concurrentPartitions = 4;
/** Offsets are committed when all fetched records are delivered, and this often meanwhile. */
const offsetDelayMs = 500;
const beginning = 0n;

/**
 * A member of a group. kafkajs recovers from short outages itself; after a longer one, and whenever it gives up over a
 * temporary error, a new consumer replaces it. Anything else calls `onCrash`, because a process that consumes nothing
 * must not look alive.
 */
export class KafkaSubscription implements RunningSubscription {
  private consumer: Consumer | null = null;
  private groupId: string;
  private rejoining: Promise<void> | null = null;
  private closing: Promise<void> | null = null;
  private readonly stop = new AbortController();
  /** A watcher's next offsets by name and partition: its group stores nothing on the cluster. */
  private readonly positions = new Map<string, bigint>();

  private constructor(private readonly options: KafkaSubscriptionOptions) {
    this.groupId = options.group;
  }

  /**
   * Resolves when the member has its partitions. A member of a work group that waits longer for the others keeps
   * joining while the start continues; if it hasn't joined after a minute and a half, `onCrash` is called.
   */
  static async start(options: KafkaSubscriptionOptions): Promise<KafkaSubscription> {
    const running = new KafkaSubscription(options);
    const { subscription, nameOf, onCrash } = options;
    const joining = running.joinWithin(longestStartMs).catch((error: unknown) => {
      throw explain(error, subscription.topics.map(nameOf));
    });
    if (subscription.kind === 'watch') return joining.then(() => running);
    const hasJoined = await Promise.race([joining.then(() => true), wait(startPatienceMs, false, { ref: false })]);
    if (!hasJoined) running.goOnJoining(joining, onCrash);
    return running;
  }

  private goOnJoining(joining: Promise<void>, onCrash: (error: Error) => void): void {
    this.rejoining = joining
      .catch((error: unknown) => {
        if (!this.stop.signal.aborted) onCrash(error instanceof Error ? error : new Error(String(error)));
      })
      .finally(() => {
        this.rejoining = null;
      });
  }

  /** Counts, for a work group over all its members, events that it hasn't committed. */
  async lag(topic?: Topic): Promise<number> {
    const { subscription, nameOf } = this.options;
    const kept = this.isWatch ? this.positions : await this.committed();
    const heads = await this.heads((topic ? [topic] : subscription.topics).map(nameOf));
    let lag = 0n;
    for (const { key, low, high } of heads) lag += high - (kept.get(key) ?? low);
    return Number(lag);
  }

  close(): Promise<void> {
    this.closing ??= this.leave();
    return this.closing;
  }

  private get isWatch(): boolean {
    return this.options.subscription.kind === 'watch';
  }

  private async leave(): Promise<void> {
    const { logger } = this.options.connection;
    this.stop.abort();
    // Waits until a rejoining member has joined: left open, it would keep the group waiting once more.
    await this.rejoining;
    const { groupId } = this;
    await this.consumer
      ?.disconnect()
      .catch((error: unknown) =>
        logger.warn(
          { err: error, group: groupId },
          'a member did not leave its group in order; its partitions wait for the session to end',
        ),
      );
    if (!this.isWatch) return;
    const admin = await this.options.admin();
    await admin
      .deleteGroups([groupId])
      .catch((error: unknown) =>
        logger.debug({ err: error, group: groupId }, 'a watch group was not deleted; the cluster drops it when empty'),
      );
  }

  private async join(): Promise<void> {
    const { connection, subscription, group, nameOf } = this.options;
    if (this.isWatch && this.positions.size === 0) await this.goToEnd();
    // A watcher that comes back uses a new group: in its old group it would wait for its own former session to end.
    this.groupId = this.isWatch ? `${group}.${randomUUID()}` : group;
    const consumer = kafkaClientOf(connection).consumer({
      groupId: this.groupId,
      sessionTimeout: 10_000,
      heartbeatInterval: 1_000,
      rebalanceTimeout: 60_000,
      maxWaitTimeInMs: longestFetchMs,
      metadataMaxAge: 60_000,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 100,
        multiplier: 2,
        factor: 0.2,
        maxRetryTime: 1_000,
        retries: 8,
        restartOnFailure: async () => false,
      },
    });
    this.consumer = consumer;
    const delivery = this.deliveryOf();
    const joined = this.firstJoin(consumer, delivery);
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: subscription.topics.map(nameOf), fromBeginning: true });
      await consumer.run({
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: concurrentPartitions,
        ...(this.isWatch ? { autoCommit: false } : { autoCommitInterval: offsetDelayMs }),
        eachBatch: (payload) => delivery.take(payload),
      });
      await joined;
    } catch (error) {
      await consumer.disconnect().catch(() => undefined);
      throw error;
    }
  }

  /** Resolves at the first assignment, rejects at a crash before it. Later crashes start joining again. */
  private firstJoin(consumer: Consumer, delivery: BatchDelivery): Promise<void> {
    let isMember = false;
    const joined = new Promise<void>((resolve, reject) => {
      consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
        isMember = true;
        delivery.joined();
        if (this.isWatch) this.seek(consumer, payload.memberAssignment);
        resolve();
      });
      consumer.on(consumer.events.CRASH, ({ payload }) => {
        if (isMember) this.comeBack(payload.error);
        else reject(payload.error);
      });
    });
    joined.catch(() => undefined);
    return joined;
  }

  private deliveryOf(): BatchDelivery {
    const { connection, subscription, topicOf, redeliveryMs } = this.options;
    const onDelivered = (name: string, partition: number, nextOffset: bigint): void => {
      if (this.isWatch) this.positions.set(keyOf(name, partition), nextOffset);
    };
    return new BatchDelivery({
      subscription,
      topicOf,
      logger: connection.logger,
      redeliveryMs,
      stop: this.stop.signal,
      onDelivered,
    });
  }

  private comeBack(cause: Error): void {
    if (this.stop.signal.aborted) return;
    this.rejoining ??= this.rejoin(cause).finally(() => {
      this.rejoining = null;
    });
  }

  private async rejoin(cause: Error): Promise<void> {
    const {
      connection: { logger },
      group,
      onCrash,
    } = this.options;
    try {
      if (!isPassing(cause)) throw cause;
      logger.warn({ err: cause, group }, 'a consumer lost its brokers; joining again until they answer');
      await this.joinWithin(Number.POSITIVE_INFINITY);
      logger.info({ group }, 'a consumer is back in its group');
    } catch (error) {
      if (this.stop.signal.aborted) return;
      logger.fatal({ err: error, group }, 'a consumer has ended and cannot go on');
      onCrash(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** Joins, repeatedly while the error is temporary. */
  private async joinWithin(ms: number): Promise<void> {
    for (const endsAt = performance.now() + ms; ;) {
      try {
        return await this.join();
      } catch (error) {
        if (!isPassing(error) || performance.now() > endsAt) throw error;
      }
      await wait(rejoinMs, undefined, { signal: this.stop.signal });
    }
  }

  /** Sets a watcher to the present end of each partition. A partition that is added later is read from its start. */
  private async goToEnd(): Promise<void> {
    const { subscription, nameOf } = this.options;
    for (const { key, high } of await this.heads(subscription.topics.map(nameOf))) this.positions.set(key, high);
  }

  private seek(consumer: Consumer, assignment: Readonly<Record<string, readonly number[]>>): void {
    for (const [topic, partitions] of Object.entries(assignment)) {
      for (const partition of partitions)
        consumer.seek({ topic, partition, offset: String(this.positions.get(keyOf(topic, partition)) ?? beginning) });
    }
  }

  private async heads(names: readonly string[]): Promise<{ key: string; low: bigint; high: bigint }[]> {
    const admin = await this.options.admin();
    const heads = await Promise.all(
      names.map(async (name) =>
        (await this.headsOf(admin, name)).map((head) => ({ ...head, key: keyOf(name, head.partition) })),
      ),
    );
    return heads.flat().map(({ key, low, high }) => ({ key, low: BigInt(low), high: BigInt(high) }));
  }

  /** Retries, because kafkajs doesn't if a partition has just got its leader, or another one. */
  private async headsOf(admin: Admin, name: string): ReturnType<Admin['fetchTopicOffsets']> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await admin.fetchTopicOffsets(name);
      } catch (error) {
        if (!isPassing(error) || tries === mostTries) throw error;
      }
      await wait(rejoinMs, undefined, { signal: this.stop.signal });
      await admin.fetchTopicMetadata({ topics: [name] });
    }
  }

  private async committed(): Promise<ReadonlyMap<string, bigint>> {
    const { subscription, group, nameOf } = this.options;
    const admin = await this.options.admin();
    const topics = await admin.fetchOffsets({ groupId: group, topics: subscription.topics.map(nameOf) });
    const kept = topics.flatMap(({ topic, partitions }) =>
      partitions.map(({ partition, offset }) => [keyOf(topic, partition), BigInt(offset)] as const),
    );
    return new Map(kept.filter(([, offset]) => offset >= beginning));
  }
}

const keyOf = (name: string, partition: number): string => `${name}|${partition}`;
