import { useQuery } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';

/** What can answer. */
export function useModels() {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('models', orgId),
    queryFn: ({ signal }) => api('GET /api/chat/models', { orgId, signal }),
    staleTime: 60_000,
  });
}
