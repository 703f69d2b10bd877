import { Injectable } from '@nestjs/common';
import type { ExportId } from '@parley/contracts';
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
import { Stocks } from '@parley/platform/stocks';
import { Problem, type UserId } from '@parley/protocol';
import { exportRows, type ExportRow } from './export.collection.ts';

type Held = Pick<ExportRow, '_id' | 'holder'>;
type End = Pick<ExportRow, 'status' | 'failure' | 'chats' | 'files' | 'bytes' | 'eraseAt'>;
/** While it is this attempt's. */
const heldBy = ({ _id, holder }: Held) => ({ _id, holder, isPending: true, isErasing: false });

@Injectable()
export class ExportsRepository {
  private readonly rows: Rows<typeof exportRows>;
  private readonly stocks: Stocks;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(exportRows);
    this.stocks = new Stocks(mongo);
  }

  /** What is there where it was created before. `chat.export-running` while another one of the person is pending. */
  async create(scope: OrganisationScope, row: ExportRow, tx: Transaction): Promise<{ row: ExportRow; isNew: boolean }> {
    try {
      return await this.rows.within(scope, tx).insertOnce(row);
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

  /** Those that nobody writes, that wait longest first. */
  listDue(scope: PlatformScope, now: Date, limit: number): Promise<ExportRow[]> {
    return this.rows.within(scope).find({ isPending: true, dueAt: { $lte: now } }, { sort: { dueAt: 1 }, limit });
  }

  /** The next person's, for `WaitingWalk`. */
  async nextPending(scope: PlatformScope, last: ExportRow | null): Promise<ExportRow | null> {
    const rows = this.rows.within(scope);
    const options = { sort: { orgId: 1, userId: 1, dueAt: 1 }, limit: 1 } as const;
    if (!last) return (await rows.find({ isPending: true }, options))[0] ?? null;
    const { orgId, userId } = last;
    const [colleague] = await rows.find({ isPending: true, orgId, userId: { $gt: userId } }, options);
    return colleague ?? (await rows.find({ isPending: true, orgId: { $gt: orgId } }, options))[0] ?? null;
  }

  /** Null where another worker has it. The attempt is counted before anything is written. */
  claim(
    scope: OrganisationScope,
    { _id, dueAt }: ExportRow,
    lease: { readonly holder: string; readonly until: Date },
    tx: Transaction,
  ): Promise<ExportRow | null> {
    const set = { status: 'writing', progress: null, holder: lease.holder, dueAt: lease.until } as const;
    const due = { _id, dueAt, isPending: true, isErasing: false };
    return this.rows.within(scope, tx).change(due, { $set: set, $inc: { attempts: 1 } });
  }

  /** False where it is no longer this attempt's. */
  keep(scope: OrganisationScope, held: Held, set: Partial<Pick<ExportRow, 'progress' | 'dueAt'>>): Promise<boolean> {
    return this.rows.within(scope).update(heldBy(held), { $set: set });
  }

  /** It waits for its next attempt. */
  async release(
    scope: OrganisationScope,
    held: Held,
    { dueAt, isCounted }: { readonly dueAt: Date; readonly isCounted: boolean },
    tx: Transaction,
  ): Promise<ExportRow | null> {
    const set = { status: 'waiting', progress: null, holder: null, dueAt } as const;
    return this.rows.within(scope, tx).change(heldBy(held), { $set: set, $inc: { attempts: isCounted ? 0 : -1 } });
  }

  /** The workers of an earlier process are gone. */
  async releaseAll(scope: PlatformScope): Promise<void> {
    const left = { isPending: true, holder: { $ne: null } };
    await this.rows.within(scope).updateMany(left, { $set: { dueAt: new Date(0) } });
  }

  /** Ready or failed; null where it is no longer this attempt's. What is ready counts for storage. */
  async finish(scope: OrganisationScope, held: Held, end: End, tx: Transaction): Promise<ExportRow | null> {
    const set = { ...end, progress: null, isPending: false, holder: null };
    const row = await this.rows.within(scope, tx).change(heldBy(held), { $set: set });
    if (row) await this.stocks.add(scope, tx, { stock: 'storage', by: row.bytes, isBounded: false });
    return row;
  }

  /** From now on nobody finds it, and whoever writes it stops; null where that has begun before. */
  beginErasing(
    scope: OrganisationScope,
    { _id, now }: { readonly _id: ExportId; readonly now: Date },
    tx: Transaction,
  ): Promise<ExportRow | null> {
    const set = { isErasing: true, isPending: false, eraseAt: now };
    return this.rows.within(scope, tx).change({ _id, isErasing: false }, { $set: set });
  }

  /** Those whose time has come, longest ago first. */
  listToErase(scope: PlatformScope, now: Date, limit: number): Promise<ExportRow[]> {
    return this.rows.within(scope).find({ eraseAt: { $lte: now } }, { sort: { eraseAt: 1 }, limit });
  }

  /** The last thing of an export; its storage is free. */
  async erase(scope: OrganisationScope, { _id, bytes }: ExportRow, tx: Transaction): Promise<void> {
    if (await this.rows.within(scope, tx).delete({ _id, isErasing: true }))
      await this.stocks.add(scope, tx, { stock: 'storage', by: -bytes });
  }
}
