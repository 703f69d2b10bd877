import type { Mongo } from '../../rows/mongo/index.ts';
import { consumerStoreOf, type ConsumerStore } from './consumer-store.ts';
import type { DeadLetterRow } from './consumer.collection.ts';

export type DeadLetter = Omit<DeadLetterRow, '_id'> & { readonly id: string };
export type TenantLetters = {
  /** `waiting`: how many later events of its key wait behind it; `isRetrying`: true while it is being replayed. */
  readonly letters: readonly (DeadLetter & { readonly waiting: number; readonly isRetrying: boolean })[];
  readonly count: number;
  readonly keyCount: number;
};

/**
 * Lists and replays the events that consumers of one service couldn't handle. Works in any process that reaches the
 * service's database.
 */
export class DeadLetters {
  private readonly store: ConsumerStore;

  constructor(mongo: Mongo) {
    this.store = consumerStoreOf(mongo);
  }

  /** Lists dead letters, newest first, without those that were replayed successfully. */
  async list(limit = 100): Promise<DeadLetter[]> {
    const rows = await this.store.deadLetters().find({ replayedAt: null }, { sort: { at: -1 }, limit });
    return rows.map(({ _id, ...letter }) => ({ id: _id, ...letter }));
  }

  /** Counts dead letters that weren't replayed successfully. */
  count(): Promise<number> {
    return this.store.deadLetters().count({ replayedAt: null });
  }

  /** Counts parked keys: their events wait for a retry, or behind a dead letter. */
  countParkedKeys(): Promise<number> {
    return this.store.parkedKeys().count({ state: { $in: ['retrying', 'stopped'] } });
  }

  /**
   * Returns the newest dead letters of an organisation or of none, each with the number of events that wait behind it.
   * `count` is the number of all such dead letters, not only the newest.
   */
  async ofTenant(tenant: string, limit: number): Promise<TenantLetters> {
    const { deadLetters, parkedKeys, parkedEvents } = this.store;
    const own = { replayedAt: null, tenant: { $in: [tenant, null] } };
    const waits = { state: { $in: ['retrying' as const, 'stopped' as const] }, tenant: { $in: [tenant, null] } };
    const [rows, count, keyCount] = await Promise.all([
      deadLetters().find(own, { sort: { at: -1 }, limit }),
      deadLetters().count(own),
      parkedKeys().count(waits),
    ]);
    const keys = [...new Set(rows.flatMap(({ key }) => key ?? []))];
    const [found, waiting] = await Promise.all([
      parkedKeys().find({ _id: { $in: keys } }, { fields: ['state'] }),
      parkedEvents().countBy({ key: { $in: keys } }, ['key']),
    ]);
    const states = new Map(found.map((row) => [row._id, row.state]));
    const counts = new Map(waiting.map(({ of, count }) => [of.key, count]));
    const letters = rows.map(({ _id, ...letter }) => ({
      id: _id,
      ...letter,
      // Excludes the dead letter's own event, which is parked too.
      waiting: Math.max(0, (counts.get(letter.key ?? '') ?? 0) - 1),
      isRetrying: states.get(letter.key ?? '') === 'retrying',
    }));
    return { letters, count, keyCount };
  }

  /** Returns a dead letter, also a replayed one; null if the id is unknown. */
  async find(id: string): Promise<DeadLetter | null> {
    const row = await this.store.deadLetters().findById(id);
    if (!row) return null;
    const { _id, ...letter } = row;
    return { id: _id, ...letter };
  }

  /**
   * Asks the running service to replay the event, followed by everything of its key that waits behind it, in order.
   * False if the event can't be replayed: it is unknown, replayed already, or malformed.
   */
  async replay(id: string): Promise<boolean> {
    const letter = await this.store.deadLetters().findById(id);
    if (!letter || letter.replayedAt || letter.reason === 'malformed') return false;
    if (letter.key === null) return this.replayAlone(letter);
    const again = { state: 'retrying' as const, attempts: 0, nextAttemptAt: new Date(), leaseUntil: new Date(0) };
    return this.store.parkedKeys().update({ _id: letter.key, state: 'stopped' }, { $set: again });
  }

  /** Replays a rejected event under a key of its own, because it blocks no other key. */
  private async replayAlone(letter: DeadLetterRow): Promise<boolean> {
    const { parkedKeys, parkedEvents, deadLetters } = this.store;
    const key = `${letter.consumer}|replay:${letter.eventId}`;
    // Dead letters from before there were tenants have no tenant.
    const tenant = letter.tenant ?? null;
    const { eventId, type, subject, topic, partition, offset, envelope } = letter;
    return this.store.transaction(async (tx) => {
      const row = {
        _id: key,
        consumer: letter.consumer,
        tenant,
        state: 'retrying' as const,
        attempts: 0,
        appended: 1,
        nextAttemptAt: new Date(),
        leaseUntil: new Date(0),
      };
      if (!(await parkedKeys(tx).insertUnless({ _id: key }, row))) return false;
      const logged = { eventId, tenant, type, subject, topic, partition, offset, envelope };
      await parkedEvents(tx).insert({ _id: letter._id, key, ordinal: 1, ...logged });
      await deadLetters(tx).update({ _id: letter._id }, { $set: { key } });
      return true;
    });
  }
}
