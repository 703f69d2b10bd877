import { Button } from '@mantine/core';
import type { AuditEntry } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveCsv } from '../../../lib/csv.ts';
import { useFormats } from '../../../lib/formats.ts';
import { api, type Call } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useToast } from '../../../ui/toast.tsx';
import { csvRowOf } from '../audit-changes.ts';
import classes from '../organisation-settings.module.css';

const pageSize = 100;
/** Some twenty megabytes in the browser; who needs more narrows the list. */
const mostEntries = 50_000;

type Filters = Pick<NonNullable<Call<'GET /api/org/audit'>['query']>, 'act'> & {
  readonly [Name in 'actor' | 'target']: string | null;
};

/** The whole of what the list shows, as a file; read page by page, so it says how far it is. */
export function AuditExport({ filters }: { filters: { readonly [Name in keyof Filters]: Filters[Name] | null } }) {
  const { t } = useText();
  const { number } = useFormats();
  const { organisation } = useTab();
  const describe = useProblemText();
  const toast = useToast();
  const [count, setCount] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
      const entries: AuditEntry[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, unknown> = { ...given, limit: pageSize, ...(cursor !== null && { cursor }) };
        const page = await api('GET /api/org/audit', { orgId: organisation.id, query, retries: 2 });
        entries.push(...page.items);
        setCount(entries.length);
        cursor = page.nextCursor;
      } while (cursor !== null && entries.length < mostEntries);
      await saveCsv(`audit-${organisation.slug}.csv`, entries.map(csvRowOf));
      if (cursor !== null)
        toast({
          text: t(
            {
              id: 'organisation.audit.cut',
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
      className={classes.export}
      variant="default"
      size="xs"
      leftSection={<Download size={16} strokeWidth={1.75} aria-hidden="true" />}
      disabled={save.isPending}
      onClick={() => save.mutate()}
    >
      {save.isPending
        ? t({ id: 'organisation.audit.exporting', defaultMessage: '{count} entries read …' }, { count: number(count) })
        : t({ id: 'organisation.audit.export', defaultMessage: 'Save as CSV' })}
    </Button>
  );
}
