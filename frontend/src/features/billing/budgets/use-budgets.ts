import { useQuery } from '@tanstack/react-query';
import type { Budget, KnownBudget } from '@parley/contracts';
import { api, type Answer } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';

/** No event tells what answers use up: it is read again while somebody looks. */
const refetchMs = 2_000;
const scopes = ['organisation', 'group', 'person', 'chatbot', 'model'] as const;
const periods = ['day', 'week', 'month'] as const;

export type Budgets = Answer<'GET /api/billing/budgets'>;
export type BudgetRequest = Budgets['requests'][number];

/** All budgets of the organisation, and what people ask for; nothing for whoever may not see them. */
export function useBudgets() {
  const orgId = useTab().organisation.id;
  const enabled = useRight('budget:read');
  return useQuery({
    enabled,
    queryKey: resourceKey('budgets', orgId),
    queryFn: ({ signal }) => api('GET /api/billing/budgets', { orgId, signal }),
    refetchInterval: refetchMs,
  });
}

/** The one that bounds what the whole organisation spends in a month. */
export const monthlyOf = (budgets: readonly Budget[]): Budget | null =>
  budgets.find(({ scope, period, unit }) => scope.kind === 'organisation' && period === 'month' && unit === 'money') ??
  null;

/** Whether I may see what was used of it. */
export const isKnown = (budget: Budget): budget is KnownBudget => budget.spent !== null && budget.held !== null;

/** What an answer may still use; null without a hard limit, and where that is hidden from me. */
export const leftOf = (budget: Budget): number | null =>
  budget.hardLimit === null || !isKnown(budget) ? null : Math.max(0, budget.hardLimit - budget.spent - budget.held);

export type BudgetState = 'open' | 'warned' | 'stopped';

/** As the server decides it: a warning by what is spent, a stop by what is held as well. */
export function stateOf(budget: KnownBudget): BudgetState {
  if (leftOf(budget) === 0) return 'stopped';
  return budget.softLimit !== null && budget.spent >= budget.softLimit ? 'warned' : 'open';
}

/** The organisation's first, then those of groups, people, chatbots and models, each by name; a shorter period goes first. */
export const inOrder = (budgets: readonly Budget[], nameOf: (scope: Budget['scope']) => string): Budget[] =>
  budgets.toSorted(
    (one, other) =>
      scopes.indexOf(one.scope.kind) - scopes.indexOf(other.scope.kind) ||
      nameOf(one.scope).localeCompare(nameOf(other.scope)) ||
      periods.indexOf(one.period) - periods.indexOf(other.period) ||
      one.unit.localeCompare(other.unit),
  );
