import { useQuery } from '@tanstack/react-query';
import type { Connection } from '@parley/contracts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';

const none: readonly Connection[] = [];

/** Returns the data connections that the person can read, sorted by name. Needs the texts of the part `knowledge`. */
export function useReadableConnections() {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: resourceKey('connections', orgId, 'project'),
    queryFn: ({ signal }) => api('GET /api/chat/connections', { orgId, signal }),
    enabled: useRight('data_connection:read'),
  });
  return {
    readable: (data?.items ?? none).map(({ id, name }) => ({
      id,
      name: name || t({ id: 'knowledge.connections.uploads', defaultMessage: 'Uploads' }),
    })),
    isLoading,
    error: data ? null : error,
    retry: () => void refetch(),
  };
}
