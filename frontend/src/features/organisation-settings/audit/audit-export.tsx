import { api, type Call } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { CsvExport } from '../../../ui/csv-export.tsx';
import { csvRowOf } from './audit-changes.ts';
import classes from './audit.module.css';

type Filters = Pick<NonNullable<Call<'GET /api/org/audit'>['query']>, 'act'> & {
  readonly [Name in 'actor' | 'target' | 'text' | 'from' | 'until']: string | null;
};

/** The whole of what the list shows, the newest first. */
export function AuditExport({ filters }: { filters: { readonly [Name in keyof Filters]: Filters[Name] | null } }) {
  const { id: orgId, slug } = useTab().organisation;
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== null));
  return (
    <CsvExport
      name={`audit-${slug}`}
      className={classes.export}
      read={async (from) => {
        const page = await api('GET /api/org/audit', { orgId, query: { ...given, ...from }, retries: 2 });
        return { rows: page.items.map(csvRowOf), nextCursor: page.nextCursor };
      }}
    />
  );
}
