import { ownIdPrefixes } from '@parley/protocol';
import type { ClientSession, Model, mongo } from 'mongoose';
import { consumedId } from './consumer-store.ts';
import type { InboxRow } from './consumer.schema.ts';

/** An event and who has handled it in one transaction. `mayComeAgain` at any time, so that its row is kept for ever. */
export type HandledEvent = {
  readonly eventId: string;
  readonly consumers: readonly string[];
  readonly mayComeAgain: boolean;
};
type Write = mongo.AnyBulkWriteOperation<InboxRow>;

/** Event ids lie between the two, rows of 0.3.0 outside: they begin with the name of a consumer. */
export const ofEvents = { first: `${ownIdPrefixes.event}_`, end: `${ownIdPrefixes.event}\`` } as const;

/**
 * Knows which consumers of a service have handled an event: one row per event, written in the transaction of the
 * handlers. Rows of 0.3.0, one per event and consumer, still count; nobody writes them any more.
 */
export class Inbox {
  private hasEarlierRows: Promise<boolean> | null = null;

  constructor(private readonly rows: Model<InboxRow>) {}

  /** Returns which of the events the consumer has handled. */
  async handledBy(consumer: string, eventIds: readonly string[], session?: ClientSession): Promise<Set<string>> {
    const earlier = eventIds.map((eventId) => consumedId(consumer, eventId));
    const rows = await this.rows
      .find({ _id: { $in: [...eventIds, ...earlier] } }, null, { session: session ?? null })
      .lean();
    const own = rows.filter(({ consumers }) => consumers?.includes(consumer) ?? true);
    return new Set(own.map(({ _id }) => _id.slice(_id.indexOf('|') + 1)));
  }

  /**
   * Notes events as handled. Rejects when one of the consumers has handled its event before. With `isFirst` it is
   * cheaper, and rejects also when any other consumer has.
   */
  async add(events: readonly HandledEvent[], isFirst: boolean, session: ClientSession): Promise<void> {
    if (events.length === 0) return;
    if (await this.mayHaveEarlierRows()) await this.refuseEarlier(events, session);
    const now = new Date();
    const writes = events.map(({ eventId: _id, mayComeAgain, consumers: all }): Write => {
      const [consumers, kept] = [[...all], mayComeAgain ? {} : { at: now }];
      if (isFirst) return { insertOne: { document: { _id, consumers, ...kept } } };
      const update = { $push: { consumers: { $each: consumers } }, ...(mayComeAgain ? {} : { $set: kept }) };
      return { updateOne: { filter: { _id, consumers: { $nin: consumers } }, update, upsert: true } };
    });
    await (this.rows.collection as unknown as mongo.Collection<InboxRow>).bulkWrite(writes, { session });
  }

  /** Returns true if rows of 0.3.0 were found. Caches the first result, because nobody writes such rows any more. */
  private mayHaveEarlierRows(): Promise<boolean> {
    const look = async () =>
      (await this.rows.exists({ _id: { $lt: ofEvents.first } })) !== null ||
      (await this.rows.exists({ _id: { $gte: ofEvents.end } })) !== null;
    this.hasEarlierRows ??= look().catch((error: unknown) => {
      this.hasEarlierRows = null;
      throw error;
    });
    return this.hasEarlierRows;
  }

  private async refuseEarlier(events: readonly HandledEvent[], session: ClientSession): Promise<void> {
    const ids = events.flatMap(({ eventId, consumers }) => consumers.map((consumer) => consumedId(consumer, eventId)));
    const known = await this.rows.exists({ _id: { $in: ids } }).session(session);
    if (known) throw new Error(`${known._id} was handled by 0.3.0.`);
  }
}
