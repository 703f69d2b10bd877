import type { PeopleSpan } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { CsvExport } from '../../../ui/csv-export.tsx';
import { csvRowOf } from '../people-csv.ts';

/** Everybody of the span as a file, under pseudonyms. */
export function PeopleExport({ span }: { span: PeopleSpan }) {
  const { id: orgId, slug } = useTab().organisation;
  return (
    <CsvExport
      name={`people-${slug}-${span}`}
      size="sm"
      read={async (from) => {
        const page = await api('GET /api/monitoring/people', { orgId, query: { span, ...from }, retries: 2 });
        return { rows: page.items.map((person) => csvRowOf(person, page.currency)), nextCursor: page.nextCursor };
      }}
    />
  );
}
