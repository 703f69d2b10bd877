import { useQuery } from '@tanstack/react-query';
import type { DocumentId } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';

const mostDocuments = 100;

/** Returns the newest 100 documents that the person can see in lists. */
export function useDocuments() {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('documents', orgId, 'studio'),
    queryFn: ({ signal }) => api('GET /api/chat/documents', { orgId, query: { limit: mostDocuments }, signal }),
    enabled: useRight('data_connection:read'),
  });
}

/** How a document is called, for whoever may see it. */
export function useDocumentName(): (id: DocumentId) => string {
  const { t } = useText();
  const { data } = useDocuments();
  return (id) =>
    data?.items.find((document) => document.id === id)?.name ??
    t({ id: 'studio.tests.someDocument', defaultMessage: 'a document' });
}
