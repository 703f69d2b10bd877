import { Injectable } from '@nestjs/common';
import type {
  DataOf,
  EventEnvelope,
  generationAttemptEnded,
  LedgerEntry,
  LedgerEntryId,
  listLedgerEntries,
  QueryOf,
  ResponseOf,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { LedgerEntryRow } from './ledger-entry.schema.ts';
import { LedgerRepository } from './ledger.repository.ts';

@Injectable()
export class LedgerService {
  constructor(private readonly entries: LedgerRepository) {}

  /** No rate card yet: the cost is zero and the tokens are kept, so that it can be rated later. */
  async append(
    scope: OrganisationScope,
    { data, time }: EventEnvelope<DataOf<typeof generationAttemptEnded>>,
    tx: Transaction,
  ): Promise<void> {
    const {
      orgId,
      generationId,
      attempt,
      conversationId,
      userId,
      model,
      inputTokens,
      outputTokens,
      estimated,
      outcome,
    } = data;
    const row = {
      orgId,
      generationId,
      attempt,
      conversationId,
      userId,
      model,
      inputTokens,
      outputTokens,
      estimated,
      outcome,
    };
    await this.entries.append(scope, { _id: newId('ledgerEntry'), ...row, costMicros: 0, at: new Date(time) }, tx);
  }

  async list(
    scope: OrganisationScope,
    query: QueryOf<typeof listLedgerEntries>,
  ): Promise<ResponseOf<typeof listLedgerEntries>> {
    const { limit, cursor, generationId } = query;
    const rows = await this.entries.list(scope, {
      generationId,
      after: (cursor ?? null) as LedgerEntryId | null,
      limit: limit + 1,
    });
    const shown = rows.slice(0, limit);
    return { items: shown.map(toLedgerEntry), nextCursor: rows.length > limit ? (shown.at(-1)?._id ?? null) : null };
  }
}

function toLedgerEntry({ _id, orgId: _orgId, at, ...entry }: LedgerEntryRow): LedgerEntry {
  return { id: _id, ...entry, at: at.toISOString() };
}
