import { Button } from '@mantine/core';
import type { PeopleSpan } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { saveCsv, type CsvRow } from '../../../lib/csv.ts';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import { csvRowOf } from '../people-csv.ts';

const pageSize = 100;

/** Everybody of the span as a file, under pseudonyms. */
export function PeopleExport({ span }: { span: PeopleSpan }) {
  const { t } = useText();
  const { organisation } = useTab();
  const describe = useProblemText();
  const toast = useToast();
  const save = useMutation({
    mutationFn: async () => {
      const rows: CsvRow[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, unknown> = { span, limit: pageSize, ...(cursor !== null && { cursor }) };
        const page = await api('GET /api/monitoring/people', { orgId: organisation.id, query, retries: 2 });
        rows.push(...page.items.map((person) => csvRowOf(person, page.currency)));
        cursor = page.nextCursor;
      } while (cursor !== null);
      if (rows.length === 0)
        toast({
          text: t({ id: 'people.export.nobody', defaultMessage: 'Nobody is shown apart, so there is no file.' }),
        });
      else await saveCsv(`people-${organisation.slug}-${span}.csv`, rows);
    },
    onError: (error) => toast({ text: describe(error).text }),
  });
  return (
    <Button
      variant="default"
      leftSection={<Download size={16} strokeWidth={1.75} aria-hidden="true" />}
      disabled={save.isPending}
      onClick={() => save.mutate()}
    >
      {t({ id: 'people.export.label', defaultMessage: 'Export CSV' })}
    </Button>
  );
}
