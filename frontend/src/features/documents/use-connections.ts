import type { Connection, ConnectionId, DocumentId } from '@parley/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

const connectionId = /^con_[0-9A-HJKMNP-TV-Z]{26}$/;
/** What stands in the address may be anything. */
export const asConnectionId = (text: string | null): ConnectionId | null =>
  text !== null && connectionId.test(text) ? (text as ConnectionId) : null;

const documentId = /^doc_[0-9A-HJKMNP-TV-Z]{26}$/;
export const asDocumentId = (text: string | null): DocumentId | null =>
  text !== null && documentId.test(text) ? (text as DocumentId) : null;

/** The data connections that one may see, that for uploads first. */
export function useConnections() {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('connections', orgId),
    queryFn: ({ signal }) => api('GET /api/chat/connections', { orgId, signal }),
  });
}

/** What changed is read again: the connection, and its documents with it. */
export function useRefresh(): () => Promise<void> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return useCallback(async () => {
    await client.invalidateQueries({ queryKey: resourceKey('connections', orgId) });
    await client.invalidateQueries({ queryKey: resourceKey('documents', orgId) });
  }, [client, orgId]);
}

/** What one can do with a connection at once. */
export function useConnectionCommands({ id, version }: Pick<Connection, 'id' | 'version'>) {
  const orgId = useTab().organisation.id;
  const refresh = useRefresh();
  const one = { orgId, params: { connectionId: id } };
  const options = { onSettled: refresh };
  const change = (body: { isPaused: boolean }) =>
    api('PATCH /api/chat/connections/:connectionId', { ...one, body: { version, ...body } });
  return {
    sync: useMutation({
      mutationFn: () => api('POST /api/chat/connections/:connectionId/sync', { ...one, retries: 2 }),
      ...options,
    }),
    pause: useMutation({ mutationFn: (isPaused: boolean) => change({ isPaused }), ...options }),
    retry: useMutation({
      mutationFn: () => api('POST /api/chat/connections/:connectionId/retry', { ...one, retries: 2 }),
      ...options,
    }),
    decide: useMutation({
      mutationFn: (remove: boolean) =>
        api('POST /api/chat/connections/:connectionId/removal', { ...one, body: { remove } }),
      ...options,
    }),
  };
}
