import { Injectable } from '@nestjs/common';
import type { ExportId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { Problem, type UserId } from '@parley/protocol';
import { eraseExport, writeExport } from './export-jobs.ts';
import { exportRows, type ExportRow } from './export.collection.ts';

type End = Pick<ExportRow, 'status' | 'failure' | 'chats' | 'files' | 'bytes'> & { readonly eraseAt: Date };
const ownOf = ({ _id, orgId, userId }: ExportRow) => ({ exportId: _id, orgId, userId });

@Injectable()
export class ExportsRepository {
  private readonly rows: Rows<typeof exportRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(exportRows);
    this.quotas = new Quotas(mongo);
  }

  /** Waits to be written. What is there where it was created before. `chat.export-running` while another one of the person is pending. */
  async create(scope: OrganisationScope, row: ExportRow, tx: Transaction): Promise<{ row: ExportRow; isNew: boolean }> {
    try {
      const made = await this.rows.within(scope, tx).insertOnce(row);
      if (made.isNew) tx.queue(writeExport, ownOf(row));
      return made;
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('chat.export-running', {}, { cause: error });
      throw error;
    }
  }

  /** Of this person. */
  async find(
    scope: OrganisationScope,
    { id, userId }: { readonly id: ExportId; readonly userId: UserId },
  ): Promise<ExportRow | null> {
    return this.rows.within(scope).findOne({ _id: id, userId, isErasing: false });
  }

  /** Newest first. */
  list<Item>(
    scope: OrganisationScope,
    { query, userId, to }: { query: PageQuery; userId: UserId; to: (row: ExportRow) => Item },
  ): Promise<Page<Item>> {
    return this.rows.within(scope).page(query, { by: { createdAt: -1 }, where: { userId, isErasing: false }, to });
  }

  /** All of a person, newest first. */
  allOf(scope: OrganisationScope, userId: UserId, tx: Transaction): Promise<ExportRow[]> {
    return this.rows.within(scope, tx).find({ userId, isErasing: false }, { sort: { createdAt: -1 } });
  }

  /** An attempt begins; null where it is not pending any more. */
  begin(scope: OrganisationScope, id: ExportId, tx: Transaction): Promise<ExportRow | null> {
    const pending = { _id: id, isPending: true, isErasing: false };
    return this.rows.within(scope, tx).change(pending, { $set: { status: 'writing' }, $inc: { attempts: 1 } });
  }

  /** It waits for its next attempt. */
  wait(scope: OrganisationScope, { _id }: Pick<ExportRow, '_id'>, tx: Transaction): Promise<ExportRow | null> {
    return this.rows
      .within(scope, tx)
      .change({ _id, isPending: true, isErasing: false }, { $set: { status: 'waiting' } });
  }

  /** Ready or failed, until it is erased; null where it is not pending any more. What is ready counts for storage. */
  async finish(
    scope: OrganisationScope,
    { _id }: Pick<ExportRow, '_id'>,
    end: End,
    tx: Transaction,
  ): Promise<ExportRow | null> {
    const pending = { _id, isPending: true, isErasing: false };
    const row = await this.rows.within(scope, tx).change(pending, { $set: { ...end, isPending: false } });
    if (!row) return null;
    await this.quotas.add(scope, tx, { quota: 'storage', by: row.bytes, isBounded: false });
    tx.queue(eraseExport, ownOf(row), { at: end.eraseAt });
    return row;
  }

  /** From now on nobody finds it, and whoever writes it stops; null where that has begun before. */
  async beginErasing(
    scope: OrganisationScope,
    { _id, now }: { readonly _id: ExportId; readonly now: Date },
    tx: Transaction,
  ): Promise<ExportRow | null> {
    const set = { isErasing: true, isPending: false, eraseAt: now };
    const row = await this.rows.within(scope, tx).change({ _id, isErasing: false }, { $set: set });
    if (!row) return null;
    tx.cancel(writeExport, _id);
    // A writer stops by itself; what it stores meanwhile would stay.
    const until = new Date(now.getTime() + writeExport.leaseMs);
    tx.queue(eraseExport, ownOf(row), { at: row.status === 'writing' ? until : now });
    return row;
  }

  /** One whose erasing has begun. */
  findErasing(scope: OrganisationScope, id: ExportId, tx: Transaction): Promise<ExportRow | null> {
    return this.rows.within(scope, tx).findOne({ _id: id, isErasing: true });
  }

  /** The last thing of an export; its storage is free. */
  async erase(scope: OrganisationScope, { _id, bytes }: ExportRow, tx: Transaction): Promise<void> {
    if (await this.rows.within(scope, tx).delete({ _id, isErasing: true }))
      await this.quotas.add(scope, tx, { quota: 'storage', by: -bytes });
  }
}
