import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';

/** Returns the number of open cases, up to 1,000; 0 for people who can't read them. */
export function useOpenCases(): number {
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: resourceKey('feedback', orgId, 'open'),
    queryFn: ({ signal }) => api('GET /api/chat/feedback', { orgId, query: { limit: 1 }, signal }),
    enabled: useRight('feedback:read'),
  });
  return data?.open ?? 0;
}
