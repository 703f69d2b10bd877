import type { Mongo } from '../../rows/mongo/index.ts';
import { consumerStoreOf, type ConsumerStore } from './consumer-store.ts';
import type { DeadLetterRow } from './consumer.schema.ts';
import { insertKey } from './parked-keys.ts';

export type DeadLetter = Omit<DeadLetterRow, '_id'> & { readonly id: string };
export type TenantLetters = {
  /** `waiting` events of the same key stand behind it; `isRetrying` while it is being handled again. */
  readonly letters: readonly (DeadLetter & { readonly waiting: number; readonly isRetrying: boolean })[];
  readonly count: number;
  readonly keyCount: number;
};

/** What consumers of one service could not handle. Usable by any process that reaches the service's database. */
export class DeadLetters {
  private readonly store: ConsumerStore;

  constructor(mongo: Mongo) {
    this.store = consumerStoreOf(mongo);
  }

  /** Newest first; those that were replayed with success are left out. */
  async list(limit = 100): Promise<DeadLetter[]> {
    const rows = await this.store.deadLetters.find({ replayedAt: null }).sort({ at: -1 }).limit(limit).lean();
    return rows.map(({ _id, ...letter }) => ({ id: _id, ...letter }));
  }

  /** Letters that were not replayed with success. */
  count(): Promise<number> {
    return this.store.deadLetters.countDocuments({ replayedAt: null });
  }

  /** Keys whose events wait: for a retry, or behind a dead letter. */
  countParkedKeys(): Promise<number> {
    return this.store.parkedKeys.countDocuments({ state: { $in: ['retrying', 'stopped'] } });
  }

  /** What concerns an organisation, or none: the newest letters with what waits behind each, and how many there are. */
  async ofTenant(tenant: string, limit: number): Promise<TenantLetters> {
    const { deadLetters, parkedKeys, parkedEvents } = this.store;
    const own = { replayedAt: null, tenant: { $in: [tenant, null] } };
    const waits = { state: { $in: ['retrying' as const, 'stopped' as const] }, tenant: { $in: [tenant, null] } };
    const [rows, count, keyCount] = await Promise.all([
      deadLetters.find(own).sort({ at: -1 }).limit(limit).lean(),
      deadLetters.countDocuments(own),
      parkedKeys.countDocuments(waits),
    ]);
    const keys = [...new Set(rows.flatMap(({ key }) => key ?? []))];
    const states = new Map((await parkedKeys.find({ _id: { $in: keys } }).lean()).map((row) => [row._id, row.state]));
    const waiting = await Promise.all(keys.map((key) => parkedEvents.countDocuments({ key })));
    const behind = new Map(keys.map((key, index) => [key, Math.max(0, (waiting[index] ?? 0) - 1)]));
    const letters = rows.map(({ _id, ...letter }) => ({
      id: _id,
      ...letter,
      waiting: behind.get(letter.key ?? '') ?? 0,
      isRetrying: states.get(letter.key ?? '') === 'retrying',
    }));
    return { letters, count, keyCount };
  }

  /** Null when there is none of that id; also those that were replayed. */
  async find(id: string): Promise<DeadLetter | null> {
    const row = await this.store.deadLetters.findById(id).lean();
    if (!row) return null;
    const { _id, ...letter } = row;
    return { id: _id, ...letter };
  }

  /**
   * Asks the running service to handle the event again, and with it everything of its key that waits behind it, in
   * order. False when there is nothing to replay: no such letter, replayed already, or malformed.
   */
  async replay(id: string): Promise<boolean> {
    const letter = await this.store.deadLetters.findById(id).lean();
    if (!letter || letter.replayedAt || letter.reason === 'malformed') return false;
    if (letter.key === null) return this.replayAlone(letter);
    const again = { state: 'retrying' as const, attempts: 0, nextAttemptAt: new Date(), leaseUntil: new Date(0) };
    return (
      (await this.store.parkedKeys.updateOne({ _id: letter.key, state: 'stopped' }, { $set: again })).matchedCount === 1
    );
  }

  /** A rejected event blocks no key: it gets one of its own. */
  private async replayAlone(letter: DeadLetterRow): Promise<boolean> {
    const { mongo, parkedKeys, parkedEvents, deadLetters } = this.store;
    const key = `${letter.consumer}|replay:${letter.eventId}`;
    const { eventId, tenant, type, subject, topic, partition, offset, envelope } = letter;
    return mongo.transaction(async (session) => {
      if (await parkedKeys.exists({ _id: key }).session(session)) return false;
      const row = {
        _id: key,
        consumer: letter.consumer,
        tenant: letter.tenant,
        state: 'retrying' as const,
        attempts: 0,
        appended: 1,
        nextAttemptAt: new Date(),
        leaseUntil: new Date(0),
      };
      await insertKey(this.store, row, session);
      await parkedEvents.insertMany(
        [{ _id: letter._id, key, ordinal: 1, eventId, tenant, type, subject, topic, partition, offset, envelope }],
        { session },
      );
      await deadLetters.updateOne({ _id: letter._id }, { $set: { key } }, { session });
      return true;
    });
  }
}
