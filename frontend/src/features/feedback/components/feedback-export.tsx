import { api, type Call } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { CsvExport } from '../../../ui/csv-export.tsx';
import { csvRowOf } from '../feedback-csv.ts';
import type { Cases } from '../use-cases.ts';

type Query = NonNullable<Call<'GET /api/chat/feedback'>['query']>;

/** All that the filters leave, as a file. */
export function FeedbackExport({ filters }: { filters: Cases['filters'] }) {
  const { id: orgId, slug } = useTab().organisation;
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null)) as Query;
  return (
    <CsvExport
      name={`feedback-${slug}`}
      size="sm"
      read={async (from) => {
        const page = await api('GET /api/chat/feedback', { orgId, query: { ...set, ...from }, retries: 2 });
        return { rows: page.items.map(csvRowOf), nextCursor: page.nextCursor };
      }}
    />
  );
}
