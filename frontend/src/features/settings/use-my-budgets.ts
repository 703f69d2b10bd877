import { useQuery } from '@tanstack/react-query';
import type { MyBudget } from '@parley/contracts';
import { api, type Answer } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

export type MyBudgets = Answer<'GET /api/billing/my-budgets'>;

/** The budgets that count what I use; events say when they have changed, and spent is read again with the usage. */
export function useMyBudgets(refetchMs: number) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('my-budgets', orgId),
    queryFn: ({ signal }) => api('GET /api/billing/my-budgets', { orgId, signal }),
    refetchInterval: refetchMs,
  });
}

export const leftOf = ({ hardLimit, spent, held }: Pick<MyBudget, 'hardLimit' | 'spent' | 'held'>): number =>
  Math.max(0, (hardLimit ?? 0) - spent - held);

/** The one that stops answers and of which the smallest share is left. */
export function tightest(budgets: readonly MyBudget[]): MyBudget | null {
  const share = (one: MyBudget): number => leftOf(one) / (one.hardLimit ?? 1);
  const [first] = budgets
    .filter(({ hardLimit }) => hardLimit !== null)
    .toSorted((one, other) => share(one) - share(other));
  return first ?? null;
}
