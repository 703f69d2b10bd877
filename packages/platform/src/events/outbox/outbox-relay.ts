import type { EventEnvelope, Topic } from '@parley/protocol';
import type { Doorbell } from '../../ports/doorbell/doorbell.ts';
import type { EventBus } from '../event-bus/event-bus.ts';
import { every, type Upkeep } from '../../base/every/index.ts';
import type { Logger } from '../../base/logging/index.ts';
import { jobScope, type Mongo, type ScopedRows } from '../../rows/mongo/index.ts';
import { outboxBell } from './outbox.ts';
import { outboxRows, shardCount, type OutboxRow } from './outbox.collection.ts';
import { SequenceCheck } from '../event-bus/sequence-check.ts';
import { ShardLeases } from './shard-leases.ts';

export type OutboxRelayOptions = {
  readonly mongo: Mongo;
  readonly bus: EventBus;
  readonly doorbell: Doorbell;
  /** The publishing service, as given to the outbox. */
  readonly source: string;
  readonly logger: Logger;
  readonly failpoint?: (name: 'relayed-not-marked') => Promise<void>;
  readonly leaseMs?: number;
  readonly sweepMs?: number;
};

const defaultSweepMs = 1_000;
/** Waits this long after a wake: events committed meanwhile go out together, after the response to their request. */
const gatherMs = 5;
/**
 * Sets the life of a lease. After a relay is killed, another relay waits this long before it publishes the killed one's
 * events, and people's other tabs wait too. Two relays that publish the same events do no harm.
 */
const defaultLeaseMs = 5_000;
const batchSize = 500;
const mostLookedAt = 10_000;

/**
 * Publishes committed events of the outbox: in order and without gaps per subject, at least once. A ring after each
 * commit wakes it; it also looks each second, in case a ring was lost (ADR 0059).
 */
export class OutboxRelay {
  private readonly rows: ScopedRows<OutboxRow>;
  private readonly leases: ShardLeases;
  private readonly sequences: SequenceCheck;
  private readonly upkeep: Upkeep;
  private stopListening: (() => void) | null = null;
  private isClosed = false;

  constructor(private readonly options: OutboxRelayOptions) {
    this.rows = options.mongo.rows(outboxRows).within(jobScope('publishes recorded events'));
    const { source, sweepMs = defaultSweepMs } = options;
    this.upkeep = every(`publishes recorded events of ${source}`, sweepMs, () => this.relayAll());
    this.sequences = new SequenceCheck(options.logger);
    this.leases = new ShardLeases({
      mongo: options.mongo,
      leaseMs: options.leaseMs ?? defaultLeaseMs,
      taken: (shard) => this.sequences.forget(shard),
    });
  }

  start(): void {
    this.stopListening = this.options.doorbell.on(outboxBell(this.options.source), () => this.upkeep.wake(gatherMs));
    this.upkeep.start(this.options.logger);
  }

  /** Counts recorded events that aren't published yet. */
  async backlog(): Promise<number> {
    return this.rows.count({ published: false });
  }

  /** Returns how many seconds the oldest unpublished event has waited; 0 without any. Reads at most 10,000. */
  async oldestAgeSeconds(): Promise<number> {
    const waiting = await this.rows.find({ published: false }, { limit: mostLookedAt, fields: ['recordedAt'] });
    const now = Date.now();
    return waiting.reduce((oldest, { recordedAt }) => Math.max(oldest, now - recordedAt.getTime()), 0) / 1_000;
  }

  /** Publishes the events that are recorded by now, then stops. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    const { logger } = this.options;
    if (this.stopListening) {
      this.stopListening();
      await this.upkeep.stop();
      await this.relayAll().catch((err: unknown) => logger.warn({ err }, 'recorded events are published later'));
    }
    await this.leases
      .release()
      .catch((err: unknown) => logger.warn({ err }, 'the outbox shards were not given back; they free themselves'));
  }

  /** Reads the unpublished rows once, page by page in (subject, sequence) order. */
  private async relayAll(): Promise<void> {
    for (let from: string | null = null; ;) {
      const shards = await this.leases.current();
      const page: OutboxRow[] = await this.readPage(shards, from);
      if (page.length === 0) return;
      if (!this.leases.stillHolds()) continue;
      await this.publish(page);
      if (page.length < batchSize) return;
      from = page.at(-1)!.subject;
    }
  }

  private readPage(shards: ReadonlySet<number>, from: string | null): Promise<OutboxRow[]> {
    const filter = {
      published: false,
      ...(from === null ? {} : { subject: { $gte: from } }),
      ...(shards.size === shardCount ? {} : { shard: { $in: [...shards] } }),
    };
    return this.rows.find(filter, { sort: { published: 1, subject: 1, sequence: 1 }, limit: batchSize });
  }

  private async publish(page: readonly OutboxRow[]): Promise<void> {
    const byTopic = new Map<Topic, OutboxRow[]>();
    for (const row of page) byTopic.set(row.topic, [...(byTopic.get(row.topic) ?? []), row]);
    for (const [topic, rows] of byTopic) {
      await this.options.bus.publish(
        topic,
        rows.map((row) => JSON.parse(row.envelope) as EventEnvelope),
      );
      for (const row of rows) this.sequences.check(row);
    }
    await this.options.failpoint?.('relayed-not-marked');
    const published = { _id: { $in: page.map((row) => row._id) } };
    await this.rows.updateMany(published, { $set: { published: true, publishedAt: new Date() } });
  }
}
