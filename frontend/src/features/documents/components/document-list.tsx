import type { Connection, Document } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { useList } from '../../../lib/use-list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { DeletedDocuments } from './deleted-documents.tsx';
import { DocumentTable } from './document-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { NoDocuments } from './no-documents.tsx';

const statuses = ['stored', 'reading', 'searchable', 'failed'] as const;

type Props = {
  connection: Pick<Connection, 'id' | 'source'>;
  hasUploads: boolean;
  /** Null for whoever may not upload. */
  onUpload: (() => void) | null;
  /** Null where nobody may. */
  onReplace: ((document: Document) => void) | null;
};

const readAgainMs = 1_000;

/** The documents of one connection. */
export function DocumentList({ connection, hasUploads, onUpload, onReplace }: Props) {
  const { t } = useText();
  const list = useList('GET /api/chat/documents', {
    filters: { name: 'text', status: statuses },
    within: { connectionId: connection.id },
    // No event tells how far a document is.
    refetchMs: (items) => (items.some(({ status }) => status === 'reading') ? readAgainMs : null),
  });
  const { filters, setFilters, first, isFiltered, isComplete } = list;
  const counts = first?.counts ?? { all: 0, searchable: 0, failed: 0 };
  const shown = list.items?.length ?? 0;
  return (
    <>
      <ListView
        list={list}
        loading={t({ id: 'documents.page.loading', defaultMessage: 'The documents are loading' })}
        failed={t({ id: 'documents.page.failed', defaultMessage: 'The documents could not be loaded' })}
        empty={hasUploads ? null : <NoDocuments isUpload={connection.source.kind === 'upload'} onUpload={onUpload} />}
        filtering={{
          bar: <FilterBar filter={filters} onChange={setFilters} counts={counts} />,
          none: t({ id: 'documents.filter.none', defaultMessage: 'No document matches' }),
          about: t({
            id: 'documents.filter.noneText',
            defaultMessage: 'The name filter looks at the beginnings of words.',
          }),
          clear: () => setFilters({ name: null, status: null }),
        }}
        foot={
          isFiltered && isComplete
            ? t(
                { id: 'documents.foot.filtered', defaultMessage: '{shown, number} of {count, number} that match' },
                { shown, count: counts.all },
              )
            : t(
                {
                  id: 'documents.foot.all',
                  defaultMessage: '{shown, number} of {count, plural, one {# document} other {# documents}}',
                },
                { shown, count: counts.all },
              )
        }
      >
        {(items) => <DocumentTable items={items} onReplace={onReplace} />}
      </ListView>
      <DeletedDocuments connection={connection} />
    </>
  );
}
