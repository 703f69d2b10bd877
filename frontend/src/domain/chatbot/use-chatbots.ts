import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** Reads the chatbots that the person can ask, the default one first. */
export function useChatbots({ enabled = true } = {}) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('chatbots', orgId),
    queryFn: ({ signal }) => api('GET /api/chat/chatbots', { orgId, signal }),
    staleTime: 60_000,
    enabled,
  });
}
