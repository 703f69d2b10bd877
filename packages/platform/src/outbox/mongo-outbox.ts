import type { EventDefinition, EventEnvelope } from '@parley/contracts';
import type { Model } from 'mongoose';
import type { Doorbell } from '../doorbell/doorbell.ts';
import { newId } from '../ids/index.ts';
import type { Mongo, Transaction } from '../mongo/index.ts';
import { Outbox, type EventsToRecord, type EventToRecord } from './outbox.ts';
import {
  outboxSchema,
  outboxSequenceSchema,
  shardOf,
  type OutboxRow,
  type OutboxSequenceRow,
} from './outbox.schema.ts';

export type MongoOutboxOptions = {
  /** The service's own database. */
  readonly mongo: Mongo;
  readonly doorbell: Doorbell;
  /** The publishing service; becomes the events' `source`. */
  readonly source: string;
  /** The trace that the caller is part of, as a W3C traceparent. */
  readonly traceparent?: () => string | null;
};

/** The name on which outbox and relay of a service meet. */
export const outboxBell = (source: string): string => `outbox:${source}`;

/**
 * The outbox as a collection beside the state. Models are registered in the constructor; `Mongo.applyIndexes` makes the
 * collections.
 */
export class MongoOutbox extends Outbox {
  private readonly rows: Model<OutboxRow>;
  private readonly sequences: Model<OutboxSequenceRow>;

  constructor(private readonly options: MongoOutboxOptions) {
    super();
    this.rows = options.mongo.model('Outbox', outboxSchema);
    this.sequences = options.mongo.model('OutboxSequence', outboxSequenceSchema);
  }

  async add<Definitions extends readonly EventDefinition[]>(
    tx: Transaction,
    ...events: EventsToRecord<Definitions>
  ): Promise<void> {
    const rows: OutboxRow[] = [];
    for (const event of events) rows.push(await this.toRow(event, tx));
    await this.rows.insertMany(rows, { session: tx, lean: true });
  }

  private async toRow(event: EventToRecord<EventDefinition>, tx: Transaction): Promise<OutboxRow> {
    const { definition, subject } = event;
    const data: unknown = definition.data.parse(event.data);
    const sequence = event.sequence ?? (await this.countOn(subject, tx));
    const id = newId('event');
    const envelope: EventEnvelope = {
      specversion: '1.0',
      id,
      source: this.options.source,
      type: definition.type,
      time: new Date().toISOString(),
      subject,
      tenantid: event.tenantId,
      sequence,
      correlationid: event.correlationId ?? id,
      causationid: event.causationId ?? null,
      traceparent: this.options.traceparent?.() ?? null,
      data,
    };
    return {
      _id: id,
      topic: definition.topic,
      subject,
      sequence,
      shard: shardOf(subject),
      envelope: JSON.stringify(envelope),
      published: false,
    };
  }

  wake(): void {
    this.options.doorbell.ring(outboxBell(this.options.source));
  }

  private async countOn(subject: string, tx: Transaction): Promise<number> {
    const counted = await this.sequences
      .findOneAndUpdate(
        { _id: subject },
        { $inc: { sequence: 1 } },
        { upsert: true, returnDocument: 'after', session: tx },
      )
      .lean();
    return counted.sequence;
  }
}
