import { Injectable } from '@nestjs/common';
import { importsChanged, importStatus, type ImportId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas, type CountedQuota } from '@parley/platform/quotas';
import { Problem, type UserId } from '@parley/protocol';
import { importRows, type ImportRow } from './import.collection.ts';
import { isOver, toldOf } from './import.ts';

/** Another worker has the import, or it was deleted: whatever this one still wants to write is not written. */
export class LostImport extends Error {
  override readonly name = 'LostImport';
}

type Own = { readonly id: ImportId; readonly userId: UserId };
/** What may be changed from outside of a transaction that holds the row. */
export type Change = Partial<Omit<ImportRow, '_id' | 'orgId' | 'userId' | 'revision'>>;
/** The change of an attempt, and the status that the import must still have. */
type Kept = { readonly set: Change; readonly status?: ImportRow['status'] };
type Where = Partial<Pick<ImportRow, 'status' | 'revision' | 'isRunning' | 'isSettling'>>;

const open = importStatus.options.filter((status) => !isOver({ status }));
/** Counts a person's imports that haven't ended. */
const importQuota = (userId: UserId): CountedQuota => ({
  quota: 'imports',
  userId,
  count: (mongo, scope, tx) =>
    mongo
      .rows(importRows)
      .within(scope, tx)
      .count({ userId, status: { $in: open } }),
});

@Injectable()
export class ImportsRepository {
  private readonly rows: Rows<typeof importRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(importRows);
    this.quotas = new Quotas(mongo);
  }

  /**
   * Returns false if the organisation already has an import with this id. Throws `platform.conflict` if another one has it,
   * `chat.imports-full` above the quota.
   */
  async create(scope: OrganisationScope, row: ImportRow, tx: Transaction): Promise<boolean> {
    const { isNew } = await this.rows.within(scope, tx).insertOnce(row);
    if (isNew) await this.quotas.admit(scope, tx, importQuota(row.userId));
    return isNew;
  }

  /** Anybody's of the organisation. */
  findAny(scope: OrganisationScope, id: ImportId, tx?: Transaction): Promise<ImportRow | null> {
    return this.rows.within(scope, tx).findById(id);
  }

  /** `chat.import-not-found` for anybody else's. */
  async own(scope: OrganisationScope, { id, userId }: Own, tx?: Transaction): Promise<ImportRow> {
    const row = await this.findAny(scope, id, tx);
    if (row?.userId !== userId) throw new Problem('chat.import-not-found');
    return row;
  }

  list<Item>(
    scope: OrganisationScope,
    { userId, query, to }: { userId: UserId; query: PageQuery; to: (row: ImportRow) => Item },
  ): Promise<Page<Item>> {
    return this.rows.within(scope).page(query, { by: { createdAt: -1 }, where: { userId }, to });
  }

  /** The newest of a person. */
  newestOf(scope: OrganisationScope, userId: UserId, limit: number): Promise<ImportRow[]> {
    return this.rows.within(scope).find({ userId }, { sort: { createdAt: -1, _id: -1 }, limit });
  }

  /** All of a person are deleted with the next look. */
  async forgetAll(scope: OrganisationScope, userId: UserId, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).updateMany({ userId }, { $set: { forgetAt: new Date(0) } });
  }

  /** Null where it is not like that any more. */
  change(
    scope: OrganisationScope,
    { id, where = {}, set }: { readonly id: ImportId; readonly where?: Where; readonly set: Change },
    tx?: Transaction,
  ): Promise<ImportRow | null> {
    return this.rows.within(scope, tx).change({ _id: id, ...where }, { $set: set, $inc: { revision: 1 } });
  }

  /** For a new attempt; null where nothing is wanted, or another import of the person runs. */
  async claim(
    scope: OrganisationScope,
    { _id }: Pick<ImportRow, '_id'>,
    { holder }: { readonly holder: string },
  ): Promise<ImportRow | null> {
    try {
      const change = { $set: { holder, isRunning: true }, $inc: { revision: 1 } } as const;
      return await this.rows.within(scope).change({ _id, isWanted: true }, change);
    } catch (error) {
      if (isDuplicateKey(error)) return null;
      throw error;
    }
  }

  /** No attempt has it any more. */
  async release(scope: OrganisationScope, { _id }: Pick<ImportRow, '_id'>): Promise<void> {
    const set = { isRunning: false, holder: null };
    await this.rows.within(scope).update({ _id, isWanted: false, isRunning: true }, { $set: set });
  }

  /** Changes the import while this attempt has it; null where another one has taken it over. */
  keep(
    scope: OrganisationScope,
    { _id, holder }: Pick<ImportRow, '_id' | 'holder'>,
    { set, status }: Kept,
    tx?: Transaction,
  ): Promise<ImportRow | null> {
    const held = { _id, holder, isRunning: true, ...(status && { status }) };
    return this.rows.within(scope, tx).change(held, { $set: set, $inc: { revision: 1 } });
  }

  /** Does what `keep` does, and tells the open tabs of the importing person. */
  async tell(scope: OrganisationScope, row: ImportRow, kept: Kept, tx: Transaction): Promise<ImportRow | null> {
    const now = await this.keep(scope, row, kept, tx);
    if (now) tx.record(importsChanged, toldOf(now));
    return now;
  }

  /**
   * Does what `keep` does, but throws `LostImport` instead of returning null. Call it first in each transaction that writes
   * a chat, so that the transaction conflicts with those of a worker that has taken over the import.
   */
  async hold(scope: OrganisationScope, row: ImportRow, set: Change, tx?: Transaction): Promise<ImportRow> {
    const held = await this.keep(scope, row, { set }, tx);
    if (!held) throw new LostImport();
    return held;
  }

  /** Ended, and their upload is still there. */
  listSettling(scope: PlatformScope, limit: number): Promise<ImportRow[]> {
    return this.rows.within(scope).find({ isSettling: true }, { limit });
  }

  /** Their upload has been there for too long. */
  listExpired(scope: PlatformScope, now: Date, limit: number): Promise<ImportRow[]> {
    return this.rows.within(scope).find({ storedBytes: { $gt: 0 }, expiresAt: { $lte: now } }, { limit });
  }

  /** Changes the bytes that count for storage, unless the row has changed since it was read. */
  async count(
    scope: OrganisationScope,
    row: ImportRow,
    set: Change & Pick<ImportRow, 'storedBytes'>,
    tx: Transaction,
  ): Promise<void> {
    const counted = await this.change(scope, { id: row._id, where: { revision: row.revision }, set }, tx);
    const by = set.storedBytes - row.storedBytes;
    if (counted) await this.quotas.add(scope, tx, { quota: 'storage', by, isBounded: false });
  }

  listForgotten(scope: PlatformScope, now: Date, limit: number): Promise<ImportRow[]> {
    return this.rows.within(scope).find({ forgetAt: { $lte: now } }, { limit });
  }

  /** Its upload is gone: it counts for storage no longer. */
  async settle(scope: OrganisationScope, row: ImportRow, tx: Transaction): Promise<ImportRow | null> {
    const set = { isSettling: false, storedBytes: 0 };
    const settled = await this.change(scope, { id: row._id, where: { isSettling: true }, set }, tx);
    if (settled) await this.quotas.add(scope, tx, { quota: 'storage', by: -row.storedBytes, isBounded: false });
    return settled;
  }

  async delete(scope: OrganisationScope, row: ImportRow, tx: Transaction): Promise<void> {
    if (!(await this.rows.within(scope, tx).delete({ _id: row._id }))) return;
    if (row.storedBytes > 0)
      await this.quotas.add(scope, tx, { quota: 'storage', by: -row.storedBytes, isBounded: false });
  }
}
