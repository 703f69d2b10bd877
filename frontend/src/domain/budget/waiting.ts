import { api } from '../../lib/http.ts';
import { useCount } from '../../lib/use-count.ts';

/** Returns the number of budget requests that wait, up to 100; 0 for people who can't answer them. */
export function useWaitingBudgetRequests(): number {
  return useCount({
    resource: 'budgets',
    of: 'waiting',
    right: 'budget:manage',
    ask: async (call) => (await api('GET /api/billing/budget-request-count', call)).waiting,
  });
}
