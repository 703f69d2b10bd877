import { Injectable } from '@nestjs/common';
import type { ConnectionId, Document, DocumentId, DocumentProgress } from '@parley/contracts';
import {
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { asKept, connectionOf, inConnections } from '../../connections/index.ts';
import { eraseAtOf, eraseDocument, erasingOf, readingOf, waitsToBeRead } from '../document-jobs.ts';
import { queueReading } from '../reading/reading-jobs.ts';
import { documentRows, type DocumentRow, type NewDocument } from './document.collection.ts';
import { nameFilter, toDocument } from './document.ts';

/** Those of these connections only. */
type Within = readonly ConnectionId[];
type Seen = Pick<DocumentRow, 'connectionId' | 'seenRun' | 'triedAt'>;
const pageOfAll = 500;
const mostRetried = 1_000;
type ListQuery = PageQuery & { readonly name?: string | undefined; readonly status?: Document['status'] | undefined };

@Injectable()
export class DocumentsRepository {
  private readonly documents: Rows<typeof documentRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.documents = mongo.rows(documentRows);
    this.quotas = new Quotas(mongo);
  }

  /** What is there where it was stored before; somebody else's id is `platform.conflict`. */
  async create(
    scope: OrganisationScope,
    row: NewDocument,
    tx: Transaction,
  ): Promise<{ readonly row: DocumentRow; readonly isNew: boolean }> {
    const stored = await this.documents.within(scope, tx).insertOnce(row);
    if (!stored.isNew) return stored;
    await this.countStorage(scope, tx, storedBytes(row));
    readLater(tx, stored.row);
    return stored;
  }

  async find(
    scope: OrganisationScope,
    id: DocumentId,
    options: { withDeleted?: boolean; tx?: Transaction } = {},
  ): Promise<DocumentRow | null> {
    const row = await this.documents.within(scope, options.tx).findById(id);
    return row && (options.withDeleted || !row.isDeleted) ? row : null;
  }

  /** Newest first. */
  list(scope: OrganisationScope, within: Within, { name, status, ...page }: ListQuery): Promise<Page<Document>> {
    const where = {
      isDeleted: false,
      ...inConnections(scope.orgId, within),
      ...(status && { status }),
      ...(name && { nameKeys: nameFilter(scope.orgId, name) }),
    };
    return this.documents.within(scope).page(page, { by: { _id: -1 }, where, to: toDocument });
  }

  count(scope: OrganisationScope, within: Within, status?: Document['status']): Promise<number> {
    const where = { isDeleted: false, ...inConnections(scope.orgId, within), ...(status && { status }) };
    return this.documents.recall(scope, JSON.stringify([status, within]), (rows) => rows.count(where));
  }

  /** By their connection and state, of all these at once: a list of connections asks for each. */
  async countByState(
    scope: OrganisationScope,
    within: Within,
  ): Promise<{ connectionId: ConnectionId; status: DocumentRow['status']; count: number }[]> {
    const where = { isDeleted: false, ...inConnections(scope.orgId, within) };
    const groups = await this.documents.recall(scope, JSON.stringify(['by state', within]), (rows) =>
      rows.countBy(where, ['connectionId', 'status']),
    );
    return groups.map(({ of: { connectionId = null, status }, count }) => ({
      connectionId: connectionOf({ orgId: scope.orgId, connectionId }),
      status: status!,
      count,
    }));
  }

  async latestIndexedAt(scope: OrganisationScope, within: Within): Promise<Date | null> {
    const where = { isDeleted: false, status: 'searchable', ...inConnections(scope.orgId, within) } as const;
    const latest = await this.documents.within(scope).findOne(where, { sort: { _id: -1 } });
    return latest?.indexedAt ?? null;
  }

  /** Null when it is in that state already, is of another organisation, or when its erasing has begun. */
  async setDeleted(
    scope: OrganisationScope,
    id: DocumentId,
    { isDeleted, now }: { isDeleted: boolean; now: Date },
    tx: Transaction,
  ): Promise<DocumentRow | null> {
    const change = { $set: { isDeleted, deletedAt: isDeleted ? now : null }, $inc: { version: 1 } };
    const row = await this.documents
      .within(scope, tx)
      .change({ _id: id, isDeleted: !isDeleted, ...notErasing }, change);
    const eraseAt = row && eraseAtOf(row);
    if (eraseAt) tx.queue(eraseDocument, erasingOf(row), { at: eraseAt });
    else if (row) tx.cancel(eraseDocument, id);
    if (row) readLater(tx, row);
    return row;
  }

  /** Back to `stored`; null unless it has failed. */
  async requeue(scope: OrganisationScope, id: DocumentId, tx: Transaction): Promise<DocumentRow | null> {
    const change = {
      $set: { status: 'stored', failure: null, progress: null, leaseUntil: null },
      $inc: { version: 1 },
    } as const;
    const row = await this.documents.within(scope, tx).change({ _id: id, status: 'failed', isDeleted: false }, change);
    if (row) readLater(tx, row);
    return row;
  }

  /** Marks the document as failed after its last attempt. Returns null if it doesn't wait to be read. */
  giveUp(
    scope: OrganisationScope,
    { id, failure }: { readonly id: DocumentId; readonly failure: NonNullable<DocumentRow['failure']> },
    tx: Transaction,
  ): Promise<DocumentRow | null> {
    const failed = { status: 'failed', failure, progress: null, leaseUntil: null } as const;
    const waiting = { _id: id, status: { $in: ['stored', 'reading'] }, isDeleted: false } as const;
    return this.documents.within(scope, tx).change(waiting, { $set: failed, $inc: { version: 1 } });
  }

  /** Takes one that was seen; compare-and-set, so one reader gets it. */
  claim(
    scope: OrganisationScope,
    { _id, status, version }: DocumentRow,
    leaseUntil: Date,
  ): Promise<DocumentRow | null> {
    const change = { $set: { status: 'reading', progress: null, leaseUntil }, $inc: { version: 1 } } as const;
    return this.documents.within(scope).change({ _id, status, version, isDeleted: false }, change);
  }

  /** Whether it is still this reader's. */
  async isHeld(scope: OrganisationScope, read: DocumentRow): Promise<boolean> {
    return (await this.documents.within(scope).count(heldBy(read))) > 0;
  }

  /** Told to who looks; nothing where another reader has taken it over. */
  async setProgress(scope: OrganisationScope, read: DocumentRow, progress: DocumentProgress): Promise<void> {
    await this.documents.within(scope).updateMany(heldBy(read), { $set: { progress } });
  }

  /** Null when another reader has taken it over meanwhile. */
  async finish(
    scope: OrganisationScope,
    read: DocumentRow,
    end: Pick<DocumentRow, 'status' | 'failure'> &
      Partial<Pick<DocumentRow, 'unreadAttachments' | 'passageCount' | 'textBytes' | 'indexedAt' | 'takesLong'>>,
    tx: Transaction,
  ): Promise<DocumentRow | null> {
    const change = { $set: { ...end, progress: null, leaseUntil: null }, $inc: { version: 1 } };
    const row = await this.documents.within(scope, tx).change(heldBy(read), change);
    // While it is held nobody else changes its texts.
    if (row) await this.countStorage(scope, tx, (row.textBytes ?? 0) - (read.textBytes ?? 0));
    if (row) readLater(tx, row);
    return row;
  }

  /** Also those that were deleted: what is in the source again comes back under its id. */
  findMany(scope: OrganisationScope, ids: readonly DocumentId[]): Promise<DocumentRow[]> {
    return this.documents.within(scope).find({ _id: { $in: ids } });
  }

  /** What the sync has found as it was. */
  async setSeen(scope: OrganisationScope, ids: readonly DocumentId[], seen: Seen, tx: Transaction): Promise<void> {
    const { connectionId, ...set } = seen;
    const where = { _id: { $in: ids }, connectionId, isDeleted: false };
    await this.documents.within(scope, tx).updateMany(where, { $set: set });
  }

  /** What is there now instead of what was there, for the reader; null where there was nothing. */
  async replace(scope: OrganisationScope, { _id, ...row }: NewDocument, tx: Transaction): Promise<DocumentRow | null> {
    const known = await this.documents.within(scope, tx).findById(_id);
    if (known && !known.isErasing) await this.countStorage(scope, tx, row.bytes - known.bytes);
    const { name, nameKeys, mediaType, bytes, fileKey, uploadedBy, asOf, status, failure } = row;
    const { etag, lastModified, hash, triedAt, seenRun, queuedAt, queuedBy } = row;
    const inSource = { asOf, etag, lastModified, hash, triedAt, seenRun };
    const content = { name, nameKeys, mediaType, bytes, fileKey, uploadedBy, queuedAt, queuedBy, ...inSource };
    const set = { ...content, status, failure, ...unread };
    if (known?.isDeleted && !known.isErasing) tx.cancel(eraseDocument, _id);
    const replaced = await this.documents
      .within(scope, tx)
      .change({ _id, ...notErasing }, { $set: set, $inc: { version: 1 } });
    if (replaced) readLater(tx, replaced);
    return replaced;
  }

  /** Of a connection, in the order of their ids, after the given one. */
  listAfter(scope: OrganisationScope, id: ConnectionId, after: DocumentId | null): Promise<DocumentRow[]> {
    const where = { orgId: scope.orgId, isDeleted: false, connectionId: asKept(scope.orgId, id) } as const;
    return this.documents
      .within(scope)
      .find({ ...where, ...(after && { _id: { $gt: after } }) }, { sort: { _id: 1 }, limit: pageOfAll });
  }

  /** Which of a connection a sync has not seen. */
  private unseen({ orgId }: OrganisationScope, id: ConnectionId, run: number) {
    return { connectionId: asKept(orgId, id), isDeleted: false, seenRun: { $lt: run } };
  }

  countUnseen(scope: OrganisationScope, id: ConnectionId, run: number): Promise<number> {
    return this.documents.within(scope).count(this.unseen(scope, id, run));
  }

  listUnseen(scope: OrganisationScope, id: ConnectionId, run: number): Promise<DocumentRow[]> {
    return this.documents.within(scope).find(this.unseen(scope, id, run), { limit: pageOfAll });
  }

  /** Some of a connection, deleted ones too. */
  listAll(scope: OrganisationScope, id: ConnectionId, limit: number): Promise<DocumentRow[]> {
    const where = { connectionId: asKept(scope.orgId, id), isDeleted: { $in: [false, true] } };
    return this.documents.within(scope).find(where, { limit });
  }

  /** Deletes the row of a document as the last step of erasing, and frees its storage. Returns the deleted row. */
  erase(scope: OrganisationScope, id: DocumentId, tx: Transaction): Promise<DocumentRow | null> {
    return this.remove(scope, { _id: id }, tx);
  }

  listFailed(scope: OrganisationScope, id: ConnectionId): Promise<DocumentRow[]> {
    const where = { isDeleted: false, status: 'failed', connectionId: asKept(scope.orgId, id) } as const;
    return this.documents.within(scope).find({ orgId: scope.orgId, ...where }, { limit: mostRetried });
  }

  /** Those of a connection that can be restored or erased at once, last deleted first. */
  listDeleted<Item>(
    scope: OrganisationScope,
    { query, to }: { query: PageQuery & { readonly connectionId: ConnectionId }; to: (row: DocumentRow) => Item },
  ): Promise<Page<Item>> {
    const { connectionId, ...page } = query;
    const where = { isDeleted: true, ...inConnections(scope.orgId, [connectionId]), ...notErasing };
    return this.documents.within(scope).page(page, { by: { deletedAt: -1 }, where, to });
  }

  /** From now on nobody restores it; null when it is not deleted, of another organisation, or when that has begun. */
  beginErasing(scope: OrganisationScope, id: DocumentId, tx: Transaction): Promise<DocumentRow | null> {
    const begun = { $set: { isErasing: true }, $inc: { version: 1 } };
    return this.documents.within(scope, tx).change({ _id: id, isDeleted: true, ...notErasing }, begun);
  }

  /** As `erase`, unless it was restored. */
  purge(scope: OrganisationScope, id: DocumentId, tx: Transaction): Promise<DocumentRow | null> {
    return this.remove(scope, { _id: id, isDeleted: true }, tx);
  }

  private async remove(
    scope: OrganisationScope,
    filter: { readonly _id: DocumentId; readonly isDeleted?: true },
    tx: Transaction,
  ): Promise<DocumentRow | null> {
    const documents = this.documents.within(scope, tx);
    const row = await documents.findOne(filter);
    if (!row || !(await documents.delete(filter))) return null;
    await this.countStorage(scope, tx, -storedBytes(row));
    return row;
  }

  /** What is stored already is counted also above the quota: `StorageQuota` refuses it before. */
  private countStorage(scope: OrganisationScope, tx: Transaction, by: number): Promise<void> {
    return this.quotas.add(scope, tx, { quota: 'storage', by, isBounded: false });
  }
}

/** Queues what waits to be read, or is left by its reader. */
function readLater(tx: Transaction, row: DocumentRow): void {
  if (waitsToBeRead(row)) queueReading(tx, readingOf(row), row.takesLong === true);
}

/** Its file and the texts of its passages. */
const storedBytes = ({ bytes, textBytes = 0 }: Pick<NewDocument, 'bytes' | 'textBytes'>): number => bytes + textBytes;
const unread = { progress: null, takesLong: false, leaseUntil: null, isDeleted: false, deletedAt: null };
const notErasing = { isErasing: { $ne: true } } as const;

/** While the lease is that of this very reader. */
const heldBy = ({ _id, leaseUntil }: DocumentRow) => ({ _id, status: 'reading', leaseUntil }) as const;
