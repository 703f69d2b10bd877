import { TextInput } from '@mantine/core';
import type { Document } from '@parley/contracts';
import type { Answer } from '../../../lib/http.ts';
import { Search, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';
import { useStatusNames } from './status-names.ts';
import classes from './documents.module.css';

export type DocumentFilter = { readonly name: string | null; readonly status: Document['status'] | null };

const typingPauseMs = 250;
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
  const [name, setName] = useState(filter.name ?? '');
  const [applied, setApplied] = useState(filter.name);
  // Changed from outside, by the address or by clearing.
  if (applied !== filter.name) {
    setApplied(filter.name);
    if (name.trim() !== (filter.name ?? '')) setName(filter.name ?? '');
  }
  useEffect(() => {
    if (name.trim() === (filter.name ?? '')) return undefined;
    const timer = setTimeout(() => onChange({ name: name.trim() || null }), typingPauseMs);
    return () => clearTimeout(timer);
  }, [name, filter.name, onChange]);
  return (
    <div className={table.bar}>
      <TextInput
        className={classes.search}
        leftSection={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
        value={name}
        maxLength={100}
        dir="auto"
        aria-label={t({ id: 'documents.filter.name', defaultMessage: 'Name of a document' })}
        placeholder={t({ id: 'documents.filter.name', defaultMessage: 'Name of a document' })}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {offered.map((status) => (
        <button
          key={status}
          type="button"
          className={table.chip}
          aria-pressed={filter.status === status}
          onClick={() => onChange({ status: filter.status === status ? null : status })}
        >
          {names[status]}
          {filter.status === status ? <X size={14} strokeWidth={1.75} aria-hidden="true" /> : null}
        </button>
      ))}
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
