import type { EventDefinition, EventEnvelope } from '@parley/contracts';
import type { ClientSession, Model } from 'mongoose';
import type { Doorbell } from '../doorbell/doorbell.ts';
import { newId } from '../ids/index.ts';
import type { Mongo } from '../mongo/index.ts';
import {
  outboxSchema,
  outboxSequenceSchema,
  shardOf,
  type OutboxRow,
  type OutboxSequenceRow,
} from './outbox.schema.ts';

export type OutboxOptions = {
  /** The service's own database. */
  readonly mongo: Mongo;
  readonly doorbell: Doorbell;
  /** The publishing service; becomes the events' `source`. */
  readonly source: string;
};

/** Who and what led to an event. */
export type Origin = Pick<EventEnvelope, 'actor' | 'onbehalfof' | 'correlationid' | 'causationid' | 'traceparent'>;

/** An event whose data was checked; its sequence is counted when it is written, unless the aggregate has its own. */
export type Recorded = {
  readonly definition: EventDefinition;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number | undefined;
  readonly origin: Origin;
};

/** The name on which outbox and relay of a service meet. */
export const outboxBell = (source: string): string => `outbox:${source}`;

/**
 * The outbox as a collection beside the state: the inner part of a unit of work, which is the only one to write to it.
 * Models are registered in the constructor; `Mongo.applyIndexes` makes the collections.
 */
export class Outbox {
  readonly source: string;
  private readonly rows: Model<OutboxRow>;
  private readonly sequences: Model<OutboxSequenceRow>;
  private readonly doorbell: Doorbell;

  constructor({ mongo, doorbell, source }: OutboxOptions) {
    this.source = source;
    this.doorbell = doorbell;
    this.rows = mongo.model('Outbox', outboxSchema);
    this.sequences = mongo.model('OutboxSequence', outboxSequenceSchema);
  }

  /** Writes events in this order, all at once, in the transaction of the state they tell of. */
  async write(events: readonly Recorded[], session: ClientSession): Promise<void> {
    const rows: OutboxRow[] = [];
    for (const event of events) rows.push(await this.toRow(event, session));
    await this.rows.insertMany(rows, { session, lean: true });
  }

  /** After the commit: wakes the relay. Losing it costs at most a second. */
  wake(): void {
    this.doorbell.ring(outboxBell(this.source));
  }

  private async toRow(event: Recorded, session: ClientSession): Promise<OutboxRow> {
    const { definition, data, origin } = event;
    const subject = String(data[definition.key]);
    const sequence = event.sequence ?? (await this.countOn(subject, session));
    const envelope: EventEnvelope = {
      specversion: '1.0',
      id: newId('event'),
      source: this.source,
      type: definition.type,
      time: new Date().toISOString(),
      subject,
      tenantid: (data['orgId'] as EventEnvelope['tenantid'] | undefined) ?? null,
      sequence,
      ...origin,
      data,
    };
    return {
      _id: envelope.id,
      topic: definition.topic,
      subject,
      sequence,
      shard: shardOf(subject),
      envelope: JSON.stringify(envelope),
      published: false,
    };
  }

  private async countOn(subject: string, session: ClientSession): Promise<number> {
    const counted = await this.sequences
      .findOneAndUpdate({ _id: subject }, { $inc: { sequence: 1 } }, { upsert: true, returnDocument: 'after', session })
      .lean();
    return counted.sequence;
  }
}
