import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveCsv, type CsvRow } from '../../../lib/csv.ts';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import classes from '../billing.module.css';
import type { ListedEntry } from './ledger-cells.tsx';

const pageSize = 100;
/** Some twenty megabytes in the browser; who needs more narrows the list. */
const mostEntries = 50_000;

/** All that the list finds, as a file; read page by page, so it says how far it is. */
export function LedgerExport({ filters }: { filters: Readonly<Record<string, string | null>> }) {
  const { t } = useText();
  const { number } = useFormats();
  const { organisation } = useTab();
  const describe = useProblemText();
  const toast = useToast();
  const [count, setCount] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
      const entries: ListedEntry[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, unknown> = { ...given, limit: pageSize, ...(cursor !== null && { cursor }) };
        const page = await api('GET /api/billing/ledger-entries', { orgId: organisation.id, query, retries: 2 });
        entries.push(...page.items);
        setCount(entries.length);
        cursor = page.nextCursor;
      } while (cursor !== null && entries.length < mostEntries);
      await saveCsv(`ledger-${organisation.slug}.csv`, entries.map(csvRowOf));
      if (cursor !== null)
        toast({
          text: t(
            {
              id: 'billing.ledger.cut',
              defaultMessage: 'The file has the newest {count} entries. Filter for older ones.',
            },
            { count: number(entries.length) },
          ),
        });
    },
    onError: (error) => toast({ text: describe(error).text }),
    onSettled: () => setCount(0),
  });
  return (
    <Button
      className={classes.end}
      variant="default"
      size="xs"
      leftSection={<Download size={16} strokeWidth={1.75} aria-hidden="true" />}
      disabled={save.isPending}
      onClick={() => save.mutate()}
    >
      {save.isPending
        ? t({ id: 'billing.ledger.exporting', defaultMessage: '{count} entries read …' }, { count: number(count) })
        : t({ id: 'billing.ledger.export', defaultMessage: 'Save as CSV' })}
    </Button>
  );
}

/** Names of columns are the same in every language: the file is for programs too. */
export const csvRowOf = ({ id, at, userId, name, model, outcome, attempt, ...entry }: ListedEntry): CsvRow => ({
  id,
  at,
  person: name,
  userId,
  model,
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
