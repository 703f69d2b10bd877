import type { EventEnvelope, Topic } from '@parley/protocol';
import { every, type Upkeep } from '../../../base/every/index.ts';
import type { Failpoint } from '../../../base/failpoint.ts';
import type { Logger } from '../../../base/logging/index.ts';
import { isDuplicateKey, type Mongo } from '../../../rows/mongo/index.ts';
import { EventBus, type RunningSubscription, type Subscription } from '../event-bus.ts';
import type { EventTransaction, LocalLog, LoggedEvent } from '../local-log.ts';
import { SequenceCheck } from '../sequence-check.ts';
import { GroupOffsets } from './group-offsets.ts';
import { logRows, logScope, topicHeadRows } from './log.collection.ts';
import { logTransaction } from './log-transaction.ts';
import { TopicLog, type LogRecord, type Outcome } from './topic-log.ts';
import { TopicReader } from './topic-reader.ts';

export type EmbeddedEventBusOptions = {
  /** A database of the bus's own; `close` closes it. */
  readonly mongo: Mongo;
  readonly logger: Logger;
  readonly redeliveryMs?: number;
  readonly sweepMs?: number;
  readonly failpoint?: Failpoint;
};

/** Sets the time between two writes of the heads (newest offsets). An unstored head is found among the events. */
const defaultSweepMs = 10_000;

/**
 * The event log of the one-process edition: topics are rows of the embedded store, and groups are woken within the
 * process. One bus per database: a second writer fails on the unique index of the offsets.
 */
export class EmbeddedEventBus extends EventBus implements LocalLog {
  private readonly logs = new Map<Topic, Promise<TopicLog>>();
  private readonly readers = new Map<Topic, Set<TopicReader>>();
  private readonly subscriptions = new Set<RunningSubscription>();
  /** Resolves when the member that joined last has left its group. */
  private readonly lastMembers = new Map<string, Promise<void>>();
  private readonly offsets: GroupOffsets;
  private readonly sequences: SequenceCheck;
  private readonly upkeep: Upkeep;
  private isClosed = false;

  private constructor(private readonly options: EmbeddedEventBusOptions) {
    super();
    this.offsets = new GroupOffsets(options.mongo, options.logger);
    this.sequences = new SequenceCheck(options.logger);
    this.upkeep = every('keeps the heads of topics', options.sweepMs ?? defaultSweepMs, () => this.tidy());
  }

  /** Creates missing collections and indexes. */
  static async open(options: EmbeddedEventBusOptions): Promise<EmbeddedEventBus> {
    options.mongo.rows(logRows);
    options.mongo.rows(topicHeadRows);
    const bus = new EmbeddedEventBus(options);
    await options.mongo.applyIndexes();
    bus.upkeep.start(options.logger);
    return bus;
  }

  async publish(topic: Topic, events: readonly EventEnvelope[]): Promise<void> {
    if (this.isClosed) throw new Error('The event bus is closed.');
    if (events.length === 0) return;
    await this.transaction(this.options.mongo, (tx) => tx.append(events.map((event) => ({ topic, event }))));
  }

  transaction<Result>(mongo: Mongo, run: (tx: EventTransaction) => Promise<Result>): Promise<Result> {
    const { mongo: logMongo, failpoint = () => Promise.resolve() } = this.options;
    return logTransaction({ mongo, logMongo, logOf: (topic) => this.logOf(topic), failpoint }, run);
  }

  async append({ topic, event }: LoggedEvent): Promise<void> {
    const log = await this.logOf(topic);
    const stretch = log.take([event]);
    let outcome: Outcome = 'unknown';
    try {
      await this.options.mongo.rows(logRows).within(logScope).insertMany(stretch.rows);
      outcome = 'committed';
    } catch (error) {
      if (isDuplicateKey(error)) {
        outcome = 'aborted';
        log.forget();
      }
      throw error;
    } finally {
      log.end(stretch, outcome);
    }
  }

  async newestIds(topic: Topic): Promise<ReadonlySet<string>> {
    return (await this.logOf(topic)).newestIds();
  }

  async subscribe(subscription: Subscription): Promise<RunningSubscription> {
    if (this.isClosed) throw new Error('The event bus is closed.');
    const { logger, redeliveryMs = 100 } = this.options;
    const { offsets } = this;
    const logs = await Promise.all(subscription.topics.map((topic) => this.logOf(topic)));
    const { turn, leave } = this.queueUp(subscription);
    const readers = logs.map((log) => new TopicReader({ log, subscription, offsets, logger, redeliveryMs, turn }));
    for (const [index, reader] of readers.entries()) {
      this.readersOf(logs[index]!.topic).add(reader);
      await reader.start();
    }
    const running: RunningSubscription = {
      lag: async (topic) =>
        readers
          .filter((_reader, index) => topic === undefined || logs[index]!.topic === topic)
          .reduce((sum, reader) => sum + reader.lag(), 0),
      close: async () => {
        this.subscriptions.delete(running);
        await Promise.all(readers.map((reader) => reader.close()));
        readers.forEach((reader, index) => this.readersOf(logs[index]!.topic).delete(reader));
        leave();
      },
    };
    this.subscriptions.add(running);
    return running;
  }

  /** Returns a new member's turn: in a work group, when the member before it has left; watchers don't wait. */
  private queueUp({ group, kind }: Subscription): { turn: Promise<void>; leave: () => void } {
    const turn = (kind === 'work' && this.lastMembers.get(group)) || Promise.resolve();
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    if (kind === 'work')
      this.lastMembers.set(
        group,
        turn.then(() => left),
      );
    return { turn, leave };
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    await this.upkeep.stop();
    await Promise.all([...this.subscriptions].map((subscription) => subscription.close()));
    for (const [topic, opening] of this.logs)
      await this.keepHead(
        topic,
        opening.then((log) => log.saveHead()),
      );
    await this.options.mongo.close();
  }

  private logOf(topic: Topic): Promise<TopicLog> {
    const known = this.logs.get(topic);
    if (known) return known;
    const opening = TopicLog.open(topic, this.options.mongo, (records) => this.appended(topic, records));
    this.logs.set(topic, opening);
    opening.catch(() => this.logs.delete(topic));
    return opening;
  }

  private readersOf(topic: Topic): Set<TopicReader> {
    const readers = this.readers.get(topic) ?? new Set();
    this.readers.set(topic, readers);
    return readers;
  }

  private appended(topic: Topic, records: readonly LogRecord[]): void {
    for (const { read } of records) if ('event' in read) this.sequences.check({ ...read.event, topic });
    this.wakeReaders(topic);
  }

  private wakeReaders(topic: Topic): void {
    for (const reader of this.readersOf(topic)) reader.wake();
  }

  private async tidy(): Promise<void> {
    for (const [topic, opening] of this.logs) {
      this.wakeReaders(topic);
      const keep = async (log: TopicLog) => {
        await log.findOut();
        await log.saveHead();
      };
      await this.keepHead(topic, opening.then(keep));
    }
  }

  /** Logs a head that couldn't be stored: it is found again among the events, as after a kill. */
  private async keepHead(topic: Topic, keeping: Promise<void>): Promise<void> {
    await keeping.catch((error: unknown) =>
      this.options.logger.warn({ err: error, topic }, 'the head of a topic was not kept'),
    );
  }
}
