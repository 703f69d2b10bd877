import { Injectable } from '@nestjs/common';
import type {
  DataOf,
  EventEnvelope,
  generationAttemptEnded,
  LedgerEntry,
  listLedgerEntries,
  ResponseOf,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Mongo, type OrganisationScope, type RowOf, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { ledgerEntryRows } from './ledger-entry.collection.ts';

@Injectable()
export class LedgerService {
  private readonly entries: Rows<typeof ledgerEntryRows>;

  constructor(mongo: Mongo) {
    this.entries = mongo.rows(ledgerEntryRows);
  }

  /** No rate card yet: the cost is zero and the tokens are kept, so that it can be rated later. */
  async append(
    scope: OrganisationScope,
    { data, time }: EventEnvelope<DataOf<typeof generationAttemptEnded>>,
    tx: Transaction,
  ): Promise<void> {
    const { generationId, attempt, conversationId, userId, model, inputTokens, outputTokens, estimated, outcome } =
      data;
    const used = { conversationId, userId, model, inputTokens, outputTokens, estimated, outcome };
    const entry = { _id: newId('ledgerEntry'), ...used, costMicros: 0, at: new Date(time) };
    await this.entries.within(scope, tx).upsert({ generationId, attempt }, { $setOnInsert: entry });
  }

  /** Newest first. */
  list({ scope, query }: InputOf<typeof listLedgerEntries>): Promise<ResponseOf<typeof listLedgerEntries>> {
    const { generationId, ...page } = query;
    const where = generationId === undefined ? {} : { generationId };
    return this.entries.within(scope).page(page, { by: { _id: -1 }, where, to: toLedgerEntry });
  }
}

function toLedgerEntry({ _id, orgId: _orgId, at, ...entry }: RowOf<typeof ledgerEntryRows>): LedgerEntry {
  return { id: _id, ...entry, at: at.toISOString() };
}
