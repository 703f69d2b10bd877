import type { CsvRow } from '../../../lib/csv.ts';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { CsvExport } from '../../../ui/csv-export.tsx';
import classes from '../parts/billing.module.css';
import type { ListedEntry } from './ledger-cells.tsx';

/** All that the list finds, the newest first. */
export function LedgerExport({ filters }: { filters: Readonly<Record<string, string | null>> }) {
  const { id: orgId, slug } = useTab().organisation;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
  return (
    <CsvExport
      name={`ledger-${slug}`}
      className={classes.end}
      read={async (from) => {
        const page = await api('GET /api/billing/ledger-entries', { orgId, query: { ...given, ...from }, retries: 2 });
        return { rows: page.items.map(csvRowOf), nextCursor: page.nextCursor };
      }}
    />
  );
}

/** Names of columns are the same in every language: the file is for programs too. */
const csvRowOf = ({ id, at, userId, name, model, chatbot, outcome, attempt, ...entry }: ListedEntry): CsvRow => ({
  id,
  at,
  person: name,
  userId,
  model,
  chatbotId: chatbot?.id ?? null,
  chatbotVersion: chatbot?.version ?? null,
  kind: entry.kind,
  outcome,
  attempt,
  generationId: entry.generationId,
  inputTokens: entry.inputTokens,
  cachedTokens: entry.cachedTokens,
  outputTokens: entry.outputTokens,
  estimated: entry.estimated ? 'yes' : 'no',
  costMicros: entry.costMicros,
  currency: entry.currency,
});
