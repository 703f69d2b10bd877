import { useQuery } from '@tanstack/react-query';
import type { MyBudget } from '@parley/contracts';
import { api, type Answer } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

export type MyBudgets = Answer<'GET /api/billing/my-budgets'>;
type Freshness = { readonly staleTime?: number; readonly refetchInterval?: number };

/** The budgets that count what I use; events say when they have changed, and what is spent is read again with the usage. */
export function useMyBudgets(freshness: Freshness) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('my-budgets', orgId),
    queryFn: ({ signal }) => api('GET /api/billing/my-budgets', { orgId, signal }),
    ...freshness,
  });
}

/** A budget whose amounts I may know. */
export type OpenBudget = MyBudget & { readonly spent: number; readonly held: number };
export const isOpen = (budget: MyBudget): budget is OpenBudget => budget.spent !== null && budget.held !== null;

export const leftOf = ({ hardLimit, spent, held }: Pick<OpenBudget, 'hardLimit' | 'spent' | 'held'>): number =>
  Math.max(0, (hardLimit ?? 0) - spent - held);

/** How far it is. A server of 0.2.0 names all amounts instead. */
export function shareOf(budget: MyBudget): NonNullable<MyBudget['share']> {
  const { share, spent, held, softLimit, hardLimit } = budget;
  if (share) return share;
  const used = (spent ?? 0) + (held ?? 0);
  const limit = hardLimit ?? softLimit ?? 1;
  const isWarned = softLimit !== null && (spent ?? 0) >= softLimit;
  const isUsedUp = hardLimit !== null && used >= hardLimit;
  return { usedPercent: Math.min(100, Math.ceil((100 * used) / limit)), stops: hardLimit !== null, isWarned, isUsedUp };
}

/** Names what is asked next, as far as it is known. A model without a price draws on no budget in money. */
type Asked = {
  readonly model?: string | undefined;
  readonly chatbotId?: string | undefined;
  readonly isUnpriced?: boolean;
};

const counts = (budget: MyBudget, { model, chatbotId, isUnpriced = false }: Asked): boolean =>
  !(isUnpriced && budget.unit === 'money') &&
  (budget.scope.kind !== 'model' || budget.scope.id === model) &&
  (budget.scope.kind !== 'chatbot' || budget.scope.id === chatbotId);

/** The budget that stops the next message first, of those that count what is asked: the server lists them in that order. */
export const nextToStop = (budgets: readonly MyBudget[], asked?: Asked): MyBudget | null =>
  budgets.find((budget) => shareOf(budget).stops && (!asked || counts(budget, asked))) ?? null;
