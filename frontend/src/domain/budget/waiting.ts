import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';

/** Returns the number of budget requests that wait, up to 100; 0 for people who can't answer them. */
export function useWaitingBudgetRequests(): number {
  const orgId = useTab().organisation.id;
  const { data } = useQuery({
    queryKey: resourceKey('budgets', orgId, 'waiting'),
    queryFn: ({ signal }) => api('GET /api/billing/budget-request-count', { orgId, signal }),
    enabled: useRight('budget:manage'),
  });
  return data?.waiting ?? 0;
}
