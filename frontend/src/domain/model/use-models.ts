import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** Reads the models that can answer, with their current prices. */
export function useModels({ enabled = true } = {}) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('models', orgId),
    queryFn: ({ signal }) => api('GET /api/chat/models', { orgId, signal }),
    staleTime: 60_000,
    // No event says that a price begins or ends at its time.
    refetchInterval: ({ state }) => (state.data?.pricesChangeInSeconds ?? 0) * 1_000,
    refetchIntervalInBackground: true,
    enabled,
  });
}
