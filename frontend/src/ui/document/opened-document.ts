import type { ChunkId, DocumentId } from '@parley/contracts';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** What a citation leads to, as it is now: an event of the document fetches it again. */
export function useOpenedDocument(documentId: DocumentId) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('documents', orgId, 'opened', documentId),
    queryFn: ({ signal }) => api('GET /api/chat/documents/:documentId', { orgId, params: { documentId }, signal }),
    staleTime: 60_000,
  });
}

/** A cited passage with what is around it; nothing is fetched without one. */
export function usePassage(chunkId: ChunkId | null) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('passages', orgId, chunkId ?? 'none'),
    queryFn: ({ signal }) => api('GET /api/chat/passages/:chunkId', { orgId, params: { chunkId: chunkId! }, signal }),
    staleTime: 60_000,
    enabled: chunkId !== null,
  });
}
