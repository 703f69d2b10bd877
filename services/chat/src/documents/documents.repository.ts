import { Injectable } from '@nestjs/common';
import { Problem, type Document, type DocumentId } from '@parley/contracts';
import {
  isDuplicateKey,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Transaction,
} from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { nameFilter } from './document.ts';
import { documentSchema, type DocumentRow } from './document.schema.ts';

type ListFilter = {
  readonly name?: string;
  readonly status?: Document['status'];
  readonly after: DocumentId | null;
  readonly limit: number;
};

@Injectable()
export class DocumentsRepository {
  private readonly documents: Model<DocumentRow>;

  constructor(mongo: Mongo) {
    this.documents = mongo.model('Document', documentSchema);
  }

  /** An id that exists already is `platform.conflict`. */
  async create(_scope: OrganisationScope, row: DocumentRow, tx: Transaction): Promise<void> {
    try {
      await this.documents.create([row], { session: tx.session });
    } catch (error) {
      if (isDuplicateKey(error)) throw new Problem('platform.conflict', {}, { cause: error });
      throw error;
    }
  }

  async find(
    scope: OrganisationScope,
    id: DocumentId,
    options: { withDeleted?: boolean } = {},
  ): Promise<DocumentRow | null> {
    const row = await this.documents.findOne({ _id: id, orgId: scope.orgId }).lean();
    return row && (options.withDeleted || !row.isDeleted) ? row : null;
  }

  /** Newest first. */
  async list(scope: OrganisationScope, { name, status, after, limit }: ListFilter): Promise<DocumentRow[]> {
    const filter = {
      orgId: scope.orgId,
      isDeleted: false,
      ...(status && { status }),
      ...(after && { _id: { $lt: after } }),
      ...(name && { nameKeys: nameFilter(scope.orgId, name) }),
    };
    return this.documents.find(filter).sort({ _id: -1 }).limit(limit).lean();
  }

  async count(scope: OrganisationScope, status?: Document['status']): Promise<number> {
    return this.documents.countDocuments({ orgId: scope.orgId, isDeleted: false, ...(status && { status }) });
  }

  async latestIndexedAt(scope: OrganisationScope): Promise<Date | null> {
    const [latest] = await this.documents
      .find({ orgId: scope.orgId, isDeleted: false, status: 'searchable' })
      .sort({ _id: -1 })
      .limit(1)
      .lean();
    return latest?.indexedAt ?? null;
  }

  /** Null when it is in that state already or is of another organisation. */
  async setDeleted(
    scope: OrganisationScope,
    id: DocumentId,
    change: { isDeleted: boolean; now: Date },
    tx: Transaction,
  ): Promise<DocumentRow | null> {
    const set = { isDeleted: change.isDeleted, deletedAt: change.isDeleted ? change.now : null };
    return this.documents
      .findOneAndUpdate(
        { _id: id, orgId: scope.orgId, isDeleted: !change.isDeleted },
        { $set: set, $inc: { version: 1 } },
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  /** Back to `stored`; null unless it has failed. */
  async requeue(scope: OrganisationScope, id: DocumentId, tx: Transaction): Promise<DocumentRow | null> {
    const filter = { _id: id, orgId: scope.orgId, status: 'failed' as const, isDeleted: false };
    return this.documents
      .findOneAndUpdate(
        filter,
        { $set: { status: 'stored', failure: null, leaseUntil: null }, $inc: { version: 1 } },
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  /** Takes the next document that waits, or whose reader's lease has ended; compare-and-set, so one reader gets it. */
  async claim(_scope: PlatformScope, lease: { now: Date; until: Date }): Promise<DocumentRow | null> {
    const change = { $set: { status: 'reading' as const, leaseUntil: lease.until }, $inc: { version: 1 } };
    const options = { sort: { _id: 1 }, returnDocument: 'after' } as const;
    const stored = await this.documents
      .findOneAndUpdate({ status: 'stored', isDeleted: false }, change, options)
      .lean();
    return (
      stored ??
      this.documents
        .findOneAndUpdate({ status: 'reading', isDeleted: false, leaseUntil: { $lt: lease.now } }, change, options)
        .lean()
    );
  }

  /** Readers of an earlier process are gone. */
  async releaseAll(_scope: PlatformScope): Promise<void> {
    await this.documents.updateMany({ status: 'reading' }, { $set: { leaseUntil: new Date(0) } });
  }

  /** Null when another reader has taken it over meanwhile. */
  async finish(
    _scope: OrganisationScope,
    read: DocumentRow,
    end: Pick<DocumentRow, 'status' | 'failure' | 'passageCount' | 'indexedAt'>,
    tx: Transaction,
  ): Promise<DocumentRow | null> {
    const filter = { _id: read._id, status: 'reading' as const, leaseUntil: read.leaseUntil };
    return this.documents
      .findOneAndUpdate(
        filter,
        { $set: { ...end, leaseUntil: null }, $inc: { version: 1 } },
        { returnDocument: 'after', session: tx.session },
      )
      .lean();
  }

  async listDeletedBefore(_scope: PlatformScope, before: Date): Promise<DocumentRow[]> {
    return this.documents
      .find({ isDeleted: true, deletedAt: { $lt: before } })
      .limit(100)
      .lean();
  }

  async purge(_scope: PlatformScope, id: DocumentId): Promise<void> {
    await this.documents.deleteOne({ _id: id, isDeleted: true });
  }
}
