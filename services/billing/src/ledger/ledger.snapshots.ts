import { ledgerEntryAdded } from '@parley/contracts';
import { eachRow, jobScope, type Mongo } from '@parley/platform/mongo';
import type { RecordSnapshot } from '@parley/platform/service';
import type { DataOf } from '@parley/protocol';
import { ledgerEntryRows, type LedgerEntryRow } from '../entries/index.ts';
import { isAnswer } from './spend.ts';

const everything = jobScope('tells all entries again');

/** What others hear of an entry. What one of a version without rates says of its cost says nothing: it has no day. */
export function entryTold(entry: LedgerEntryRow): DataOf<typeof ledgerEntryAdded> {
  const {
    _id: entryId,
    orgId,
    kind,
    userId,
    model,
    host,
    chatbotId,
    inputTokens,
    outputTokens,
    costMicros,
    at,
  } = entry;
  const isOld = (entry.day as string | undefined) === undefined;
  const told = isAnswer(kind) ? {} : { kind: 'embedding' as const, host, chatbotId };
  const used = { orgId, entryId, ...told, userId, model, inputTokens, outputTokens };
  const price = isOld ? { costMicros: null, currency: null } : { costMicros, currency: entry.currency };
  return { ...used, ...price, at: at.toISOString() };
}

/** Returns true if the entry is published. Titles aren't: only the ledger and budgets count them. */
export const isTold = ({ kind }: Pick<LedgerEntryRow, 'kind'>): boolean => kind !== 'title';

/** Republishes every ledger entry, except those of titles. */
export async function tellEntries(mongo: Mongo, record: RecordSnapshot): Promise<void> {
  for await (const entry of eachRow(mongo.rows(ledgerEntryRows).within(everything)))
    if (isTold(entry)) await record(ledgerEntryAdded, entryTold(entry), { sequence: 1 });
}
