import type { ClientSession } from 'mongoose';
import { causeOf, consumedId, parkedKeyOf, type ConsumerStore, type Failure } from './consumer-store.ts';
import type { DeadLetterReason, LoggedEvent, ParkedKeyRow } from './consumer.schema.ts';

export type Verdict = { readonly reason: DeadLetterReason; readonly attempts: number; readonly key: string | null };

/** Writes about events that one consumer could not handle. Each call is part of the given transaction. */
export class ParkedKeys {
  constructor(
    private readonly store: ConsumerStore,
    readonly consumer: string,
  ) {}

  /** Parks the key with its first event; the first attempt has just failed. */
  async park(logged: LoggedEvent, nextAttemptAt: Date, session: ClientSession): Promise<void> {
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
    await insertKey(this.store, row, session);
    await this.insert(logged, { key, ordinal: 1 }, session);
  }

  /** Appends to a parked key. Throws when the key has been freed meanwhile: the batch then comes again. */
  async append(logged: LoggedEvent, session: ClientSession): Promise<void> {
    const key = parkedKeyOf(this.consumer, logged.subject);
    if (await this.store.parkedEvents.exists({ _id: consumedId(this.consumer, logged.eventId) }).session(session))
      return;
    const parked = await this.store.parkedKeys
      .findOneAndUpdate({ _id: key }, { $inc: { appended: 1 } }, { session, returnDocument: 'after' })
      .lean();
    if (!parked) throw new KeyFreed(key);
    await this.insert(logged, { key, ordinal: parked.appended }, session);
  }

  /** Keeps the dead letter; an earlier one of the same event is replaced. */
  async bury(failure: Failure, verdict: Verdict, session: ClientSession): Promise<void> {
    const _id = consumedId(this.consumer, failure.logged.eventId);
    const letter = {
      ...failure.logged,
      ...verdict,
      consumer: this.consumer,
      cause: causeOf(failure.error),
      at: new Date(),
      replayedAt: null,
    };
    await this.store.deadLetters.updateOne({ _id }, { $set: letter }, { upsert: true, session });
  }

  private async insert(
    logged: LoggedEvent,
    place: { key: string; ordinal: number },
    session: ClientSession,
  ): Promise<void> {
    await this.store.parkedEvents.insertMany(
      [{ ...logged, ...place, _id: consumedId(this.consumer, logged.eventId) }],
      { session },
    );
  }
}

/** Returns which of the keys are parked. Nearly always none is. */
export async function parkedAmong(store: ConsumerStore, keys: Iterable<string>): Promise<Set<string>> {
  if (await isNoneParked(store)) return new Set();
  const rows = await store.parkedKeys.find({ _id: { $in: [...new Set(keys)] } }, { _id: 1 }).lean();
  return new Set(rows.map((row) => row._id));
}

/** Returns true where no key is parked as far as this process remembers; false where others park keys, too. */
export async function isNoneParked({ parkedKeys, parkedMemory }: ConsumerStore): Promise<boolean> {
  return (await parkedMemory?.read('none', async () => (await parkedKeys.exists({})) === null)) ?? false;
}

/** From then on the key is looked for. */
export async function insertKey(store: ConsumerStore, row: ParkedKeyRow, session: ClientSession): Promise<void> {
  const insert = async () => void (await store.parkedKeys.insertMany([row], { session }));
  await (store.parkedMemory ? store.parkedMemory.write(session, insert) : insert());
}

/** The key was freed between looking and appending. */
export class KeyFreed extends Error {
  override readonly name = 'KeyFreed';

  constructor(key: string) {
    super(`The parked key ${key} was freed meanwhile.`);
  }
}
