import {
  causeOf,
  consumedId,
  parkedKeyOf,
  type ConsumerStore,
  type Failure,
  type OpenTransaction,
} from './consumer-store.ts';
import type { DeadLetterRow, LoggedEvent, ParkedEventRow } from './consumer.collection.ts';

export type Verdict = Readonly<Pick<DeadLetterRow, 'reason' | 'attempts' | 'key'>>;

/** Stores parked events and dead letters of one consumer. Each call is part of the given transaction. */
export class ParkedKeys {
  constructor(
    private readonly store: ConsumerStore,
    readonly consumer: string,
  ) {}

  /** Parks the key with its first event, after its first failed attempt. */
  async park(logged: LoggedEvent, nextAttemptAt: Date, tx: OpenTransaction): Promise<void> {
    const key = parkedKeyOf(this.consumer, logged.subject);
    const row = {
      _id: key,
      consumer: this.consumer,
      tenant: logged.tenant,
      state: 'retrying' as const,
      attempts: 1,
      appended: 1,
      nextAttemptAt,
      leaseUntil: new Date(0),
    };
    await this.store.parkedKeys(tx).insert(row);
    await this.store.parkedEvents(tx).insert(this.parked(logged, key, 1));
  }

  /**
   * Appends to a parked key; an event that is already parked keeps its position. Throws `KeyFreed` if the key was freed
   * meanwhile, so that the batch is delivered again.
   */
  async append(logged: LoggedEvent, tx: OpenTransaction): Promise<void> {
    const key = parkedKeyOf(this.consumer, logged.subject);
    const parked = await this.store.parkedKeys(tx).change({ _id: key }, { $inc: { appended: 1 } });
    if (!parked) throw new KeyFreed(key);
    const row = this.parked(logged, key, parked.appended);
    await this.store.parkedEvents(tx).insertUnless({ _id: row._id }, row);
  }

  /** Stores the dead letter, in place of an earlier one of the same event. */
  async bury(failure: Failure, verdict: Verdict, tx: OpenTransaction): Promise<void> {
    const _id = consumedId(this.consumer, failure.logged.eventId);
    const letter = {
      ...failure.logged,
      ...verdict,
      consumer: this.consumer,
      cause: causeOf(failure.error),
      at: new Date(),
      replayedAt: null,
    };
    await this.store.deadLetters(tx).upsert({ _id }, { $set: letter });
  }

  private parked(logged: LoggedEvent, key: string, ordinal: number): ParkedEventRow {
    return { ...logged, key, ordinal, _id: consumedId(this.consumer, logged.eventId) };
  }
}

/** Returns which of the keys are parked: nearly always none. */
export async function parkedAmong(store: ConsumerStore, keys: Iterable<string>): Promise<Set<string>> {
  if (await store.isNoneParked()) return new Set();
  const rows = await store.parkedKeys().find({ _id: { $in: [...new Set(keys)] } }, { fields: ['_id'] });
  return new Set(rows.map((row) => row._id));
}

/** The key was freed between looking for it and appending to it. */
export class KeyFreed extends Error {
  override readonly name = 'KeyFreed';

  constructor(key: string) {
    super(`The parked key ${key} was freed meanwhile.`);
  }
}
