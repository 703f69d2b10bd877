import { ownIdPrefixes } from '@parley/protocol';
import { consumedId, type ConsumerStore, type OpenTransaction } from './consumer-store.ts';

/**
 * An event, and the consumers that handled it in one transaction. `mayComeAgain`: the event can come again at any time,
 * so its row is kept for ever.
 */
export type HandledEvent = {
  readonly eventId: string;
  readonly consumers: readonly string[];
  readonly mayComeAgain: boolean;
};

/** The range of event ids. Rows of 0.3.0 are outside of it, because their ids begin with the name of a consumer. */
export const ofEvents = { first: `${ownIdPrefixes.event}_`, end: `${ownIdPrefixes.event}\`` } as const;

/**
 * Knows which consumers of a service have handled an event: one row per event, written in the transaction of the
 * handlers. Rows of 0.3.0, one per event and consumer, are still read but no longer written.
 */
export class Inbox {
  private hasEarlierRows: Promise<boolean> | null = null;

  constructor(private readonly rows: ConsumerStore['inbox']) {}

  /** Returns which of the events the consumer has handled. */
  async handledBy(consumer: string, eventIds: readonly string[], tx?: OpenTransaction): Promise<Set<string>> {
    const earlier = eventIds.map((eventId) => consumedId(consumer, eventId));
    const rows = await this.rows(tx).find({ _id: { $in: [...eventIds, ...earlier] } });
    const own = rows.filter(({ consumers }) => consumers?.includes(consumer) ?? true);
    return new Set(own.map(({ _id }) => _id.slice(_id.indexOf('|') + 1)));
  }

  /**
   * Records events as handled. The commit is refused if one of the consumers handled its event before. With `isFirst`
   * the write is cheaper, but also refused if any other consumer handled an event before.
   */
  async add(events: readonly HandledEvent[], isFirst: boolean, tx: OpenTransaction): Promise<void> {
    if (events.length === 0) return;
    if (await this.mayHaveEarlierRows()) await this.refuseEarlier(events, tx);
    const at = new Date();
    const rows = this.rows(tx);
    if (isFirst)
      return rows.later.insertMany(
        events.map(({ eventId: _id, consumers, mayComeAgain }) => ({
          _id,
          consumers: [...consumers],
          ...(!mayComeAgain && { at }),
        })),
      );
    const additions = events.flatMap(({ eventId: _id, consumers, mayComeAgain }) =>
      consumers.map((consumer) => ({
        // If the row lists the consumer already, the filter doesn't match it, and the upsert fails on the duplicate id.
        filter: { _id, consumers: { $ne: consumer } },
        change: { $push: { consumers: consumer }, ...(!mayComeAgain && { $set: { at } }) },
      })),
    );
    await rows.later.upsertEach(additions);
  }

  /** Returns true if rows of 0.3.0 were found. Caches the first result, because nobody writes such rows any more. */
  private mayHaveEarlierRows(): Promise<boolean> {
    const look = async () =>
      (await this.rows().exists({ _id: { $lt: ofEvents.first } })) ||
      (await this.rows().exists({ _id: { $gte: ofEvents.end } }));
    this.hasEarlierRows ??= look().catch((error: unknown) => {
      this.hasEarlierRows = null;
      throw error;
    });
    return this.hasEarlierRows;
  }

  private async refuseEarlier(events: readonly HandledEvent[], tx: OpenTransaction): Promise<void> {
    const ids = events.flatMap(({ eventId, consumers }) => consumers.map((consumer) => consumedId(consumer, eventId)));
    const [known] = await this.rows(tx).find({ _id: { $in: ids } }, { limit: 1, fields: ['_id'] });
    if (known) throw new Error(`${known._id} was handled by 0.3.0.`);
  }
}
