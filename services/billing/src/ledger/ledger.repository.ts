import { Injectable } from '@nestjs/common';
import type { GenerationId, LedgerEntryId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { ledgerEntrySchema, type LedgerEntryRow } from './ledger-entry.schema.ts';

@Injectable()
export class LedgerRepository {
  private readonly entries: Model<LedgerEntryRow>;

  constructor(mongo: Mongo) {
    this.entries = mongo.model('LedgerEntry', ledgerEntrySchema);
  }

  /** Append only. The inbox row of the same transaction keeps an attempt from being written twice. */
  async append(_scope: OrganisationScope, entry: LedgerEntryRow, tx: Transaction): Promise<void> {
    await this.entries.create([entry], { session: tx.session });
  }

  /** Newest first. */
  async list(
    scope: OrganisationScope,
    filter: { generationId?: GenerationId; after: LedgerEntryId | null; limit: number },
  ): Promise<LedgerEntryRow[]> {
    const { generationId, after, limit } = filter;
    const where = { orgId: scope.orgId, ...(generationId && { generationId }), ...(after && { _id: { $lt: after } }) };
    return this.entries.find(where).sort({ _id: -1 }).limit(limit).lean();
  }
}
