import type { Document } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';

type Status = Document['status'];

export const shapeOfStatus: Record<Status, StatusKind> = {
  stored: 'waiting',
  reading: 'running',
  searchable: 'ok',
  failed: 'bad',
};

export function useStatusNames(): Record<Status, string> {
  const { t } = useText();
  return {
    stored: t({ id: 'documents.status.stored', defaultMessage: 'Stored, waits to be read' }),
    reading: t({ id: 'documents.status.reading', defaultMessage: 'Reading' }),
    searchable: t({ id: 'documents.status.searchable', defaultMessage: 'Searchable' }),
    failed: t({ id: 'documents.status.failed', defaultMessage: 'Failed' }),
  };
}
