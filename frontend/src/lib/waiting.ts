import { useQuery } from '@tanstack/react-query';
import { api } from './http.ts';
import { resourceKey } from './query-keys.ts';
import { useRight, useTab } from './tab-organisation.tsx';

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
