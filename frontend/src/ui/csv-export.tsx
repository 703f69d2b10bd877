import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { saveCsv, type CsvRow } from '../lib/csv.ts';
import { useFormats } from '../lib/formats.ts';
import { useText } from '../lib/text.ts';
import { useErrorToast } from './error-toast.ts';
import { useToast } from './toast.tsx';

/** Some twenty megabytes in the browser; who needs more narrows the list. */
const mostRows = 50_000;

type Page = { readonly rows: readonly CsvRow[]; readonly nextCursor: string | null };
type Props = {
  /** Of the file, without its ending. */
  name: string;
  /** One page of a hundred, from the cursor on. */
  read: (from: { readonly limit: number; readonly cursor?: string }) => Promise<Page>;
  size?: 'xs' | 'sm';
  className?: string | undefined;
};

/** The whole of what a list shows, as a file; read page by page, so it says how far it is. */
export function CsvExport({ name, read, size = 'xs', className }: Props) {
  const { t } = useText();
  const { number } = useFormats();
  const showError = useErrorToast();
  const toast = useToast();
  const [count, setCount] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      const rows: CsvRow[] = [];
      let cursor: string | null = null;
      do {
        const page: Page = await read({ limit: 100, ...(cursor !== null && { cursor }) });
        rows.push(...page.rows);
        setCount(rows.length);
        cursor = page.nextCursor;
      } while (cursor !== null && rows.length < mostRows);
      if (rows.length > 0) await saveCsv(`${name}.csv`, rows);
      else toast({ text: t({ id: 'csv.empty', defaultMessage: 'No data to export' }) });
      if (cursor !== null)
        toast({
          text: t(
            { id: 'csv.cut', defaultMessage: 'The file has the first {count} rows. Narrow the list for the others.' },
            { count: number(rows.length) },
          ),
        });
    },
    onError: showError,
    onSettled: () => setCount(0),
  });
  return (
    <Button
      className={className}
      variant="default"
      size={size}
      leftSection={<Download />}
      disabled={save.isPending}
      onClick={() => save.mutate()}
    >
      {save.isPending
        ? t({ id: 'csv.reading', defaultMessage: '{count} rows read …' }, { count: number(count) })
        : t({ id: 'csv.save', defaultMessage: 'Save as CSV' })}
    </Button>
  );
}
