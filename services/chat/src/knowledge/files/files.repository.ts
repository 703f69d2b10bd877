import { Injectable } from '@nestjs/common';
import type { DocumentProgress, FileId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import type { UserId } from '@parley/protocol';
import { queueReading } from '../documents/index.ts';
import { checkFile, readingOf, waitsToBeRead } from './file-jobs.ts';
import { fileRows, type FileRow } from './file.collection.ts';

export type End = Pick<FileRow, 'status' | 'failure'> &
  Partial<Pick<FileRow, 'tokens' | 'pages' | 'image' | 'passageCount' | 'textBytes' | 'takesLong'>>;

@Injectable()
export class FilesRepository {
  private readonly files: Rows<typeof fileRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.files = mongo.rows(fileRows);
    this.quotas = new Quotas(mongo);
  }

  /** What is there where it was stored before; another organisation's id is `platform.conflict`. */
  async create(scope: OrganisationScope, row: FileRow, tx: Transaction): Promise<{ row: FileRow; isNew: boolean }> {
    const stored = await this.files.within(scope, tx).insertOnce(row);
    if (!stored.isNew) return stored;
    await this.countStorage(scope, tx, row.bytes + row.textBytes);
    if (row.checkAt) tx.queue(checkFile, { fileId: row._id, orgId: row.orgId }, { at: row.checkAt });
    readLater(tx, stored.row);
    return stored;
  }

  /** Anybody's of the organisation, also one whose erasing has begun. */
  findAny(scope: OrganisationScope, id: FileId, tx?: Transaction): Promise<FileRow | null> {
    return this.files.within(scope, tx).findById(id);
  }

  /** Anybody's of the organisation. */
  async find(scope: OrganisationScope, id: FileId): Promise<FileRow | null> {
    const row = await this.files.within(scope).findById(id);
    return row && !row.isErasing ? row : null;
  }

  /** Those of these that are there and this person's. */
  findOwn(scope: OrganisationScope, userId: UserId, ids: readonly FileId[], tx?: Transaction): Promise<FileRow[]> {
    return this.files.within(scope, tx).find({ _id: { $in: ids }, userId, isErasing: false });
  }

  /** Those of these that are there, anybody's of the organisation. */
  findMany(scope: OrganisationScope, ids: readonly FileId[], tx?: Transaction): Promise<FileRow[]> {
    return this.files.within(scope, tx).find({ _id: { $in: ids }, isErasing: false });
  }

  /**
   * In the transaction that makes something refer to these files: it and one that begins to erase a file exclude each
   * other. Returns how many there are, of this person's only where one is named.
   */
  touch(
    scope: OrganisationScope,
    { ids, userId }: { readonly ids: readonly FileId[]; readonly userId?: UserId },
    tx: Transaction,
  ): Promise<number> {
    const where = { _id: { $in: ids }, isErasing: false, ...(userId && { userId }) };
    return this.files.within(scope, tx).updateMany(where, { $inc: { version: 1 } });
  }

  /** From then on they are erased unless something refers to them. */
  async setCheckAt(scope: OrganisationScope, ids: readonly FileId[], checkAt: Date, tx: Transaction): Promise<void> {
    if (ids.length === 0) return;
    const where = { _id: { $in: ids }, isErasing: false };
    await this.files.within(scope, tx).updateMany(where, { $set: { checkAt }, $inc: { version: 1 } });
    for (const fileId of ids) tx.queue(checkFile, { fileId, orgId: scope.orgId }, { at: checkAt });
  }

  /** Something refers to it; null where it was changed since it was seen. */
  keep(scope: OrganisationScope, { _id, version }: FileRow, tx: Transaction): Promise<FileRow | null> {
    return this.files.within(scope, tx).change({ _id, version }, { $set: { checkAt: null }, $inc: { version: 1 } });
  }

  /** From now on nobody finds it; null where it was changed since it was seen. */
  beginErasing(scope: OrganisationScope, { _id, version }: FileRow, tx: Transaction): Promise<FileRow | null> {
    const begun = { $set: { isErasing: true }, $inc: { version: 1 } };
    return this.files.within(scope, tx).change({ _id, version, isErasing: false }, begun);
  }

  /** The last thing of a file that is erased; its storage is free. */
  async erase(scope: OrganisationScope, id: FileId, tx: Transaction): Promise<void> {
    const files = this.files.within(scope, tx);
    const row = await files.findOne({ _id: id, isErasing: true });
    if (row && (await files.delete({ _id: id, isErasing: true })))
      await this.countStorage(scope, tx, -(row.bytes + row.textBytes + (row.vectorBytes ?? 0)));
  }

  /** Back to `stored`; null unless it has failed and is this person's. */
  async requeue(
    scope: OrganisationScope,
    { id, userId }: { readonly id: FileId; readonly userId: UserId },
    tx: Transaction,
  ): Promise<FileRow | null> {
    const waiting = { status: 'stored', failure: null, progress: null, leaseUntil: null } as const;
    const change = { $set: { ...waiting, takesLong: false }, $inc: { version: 1 } };
    const row = await this.files
      .within(scope, tx)
      .change({ _id: id, userId, status: 'failed', isErasing: false }, change);
    if (row) readLater(tx, row);
    return row;
  }

  /** Has failed: all attempts to read it did. Null where it does not wait to be read. */
  giveUp(
    scope: OrganisationScope,
    { id, failure }: { readonly id: FileId; readonly failure: NonNullable<FileRow['failure']> },
    tx: Transaction,
  ): Promise<FileRow | null> {
    const failed = { status: 'failed', failure, progress: null, leaseUntil: null } as const;
    const waiting = { _id: id, status: { $in: ['stored', 'reading'] }, isErasing: false } as const;
    return this.files.within(scope, tx).change(waiting, { $set: failed, $inc: { version: 1 } });
  }

  /** Takes one that was seen; compare-and-set, so one reader gets it. */
  claim(scope: OrganisationScope, { _id, status, version }: FileRow, leaseUntil: Date): Promise<FileRow | null> {
    const change = { $set: { status: 'reading', progress: null, leaseUntil }, $inc: { version: 1 } } as const;
    return this.files.within(scope).change({ _id, status, version, isErasing: false }, change);
  }

  /** Whether it is still this reader's. */
  async isHeld(scope: OrganisationScope, read: FileRow): Promise<boolean> {
    return (await this.files.within(scope).count(heldBy(read))) > 0;
  }

  async setProgress(scope: OrganisationScope, read: FileRow, progress: DocumentProgress): Promise<void> {
    await this.files.within(scope).updateMany(heldBy(read), { $set: { progress } });
  }

  /** Null when another reader has taken it over meanwhile. */
  async finish(scope: OrganisationScope, read: FileRow, end: End, tx: Transaction): Promise<FileRow | null> {
    const change = { $set: { ...end, progress: null, leaseUntil: null }, $inc: { version: 1 } };
    const row = await this.files.within(scope, tx).change(heldBy(read), change);
    // While it is held nobody else changes its texts.
    if (row) await this.countStorage(scope, tx, row.textBytes - read.textBytes);
    if (row) readLater(tx, row);
    return row;
  }

  private countStorage(scope: OrganisationScope, tx: Transaction, by: number): Promise<void> {
    return this.quotas.add(scope, tx, { quota: 'storage', by, isBounded: false });
  }
}

/** Queues what waits to be read, or is left by its reader. */
function readLater(tx: Transaction, row: FileRow): void {
  if (waitsToBeRead(row)) queueReading(tx, readingOf(row), row.takesLong);
}

/** While the lease is that of this very reader. */
const heldBy = ({ _id, leaseUntil }: FileRow) => ({ _id, status: 'reading', leaseUntil, isErasing: false }) as const;
