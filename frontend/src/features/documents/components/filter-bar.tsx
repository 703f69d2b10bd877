import type { Document } from '@parley/contracts';
import type { Answer } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';
import { TextFilter, ToggleChips } from '../../../ui/text-filter.tsx';
import { useStatusNames } from './status-names.ts';

export type DocumentFilter = { readonly name: string | null; readonly status: Document['status'] | null };

const offered: Document['status'][] = ['searchable', 'reading', 'failed'];

export function FilterBar({
  filter,
  onChange,
  counts,
}: {
  filter: DocumentFilter;
  onChange: (part: Partial<DocumentFilter>) => void;
  counts: Answer<'GET /api/chat/documents'>['counts'];
}) {
  const { t } = useText();
  const names = useStatusNames();
  return (
    <div className={table.bar}>
      <TextFilter
        label={t({ id: 'documents.filter.name', defaultMessage: 'Name of a document' })}
        text={filter.name}
        onChange={(name) => onChange({ name })}
      />
      <ToggleChips
        values={offered}
        nameOf={(status) => names[status]}
        chosen={filter.status}
        onChange={(status) => onChange({ status })}
      />
      <span className={table.end}>
        {t(
          {
            id: 'documents.bar.counts',
            defaultMessage: '{all, plural, one {# document} other {# documents}} · {searchable, number} searchable',
          },
          { all: counts.all, searchable: counts.searchable },
        )}
        {counts.failed > 0
          ? ` · ${t({ id: 'documents.bar.failed', defaultMessage: '{count, number} failed' }, { count: counts.failed })}`
          : ''}
      </span>
    </div>
  );
}
