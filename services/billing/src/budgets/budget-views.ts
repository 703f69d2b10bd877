import type { Budget, BudgetRequest, KnownBudget } from '@parley/contracts';
import { heldOf } from './budget-sheet.ts';
import type { BudgetRequestRow, BudgetSheet, CountedBudget } from './budget-sheet.collection.ts';

/** As those see it who may know its amounts. `sheet` is that of now: in its periods, without what has run out. */
export function toBudget(budget: CountedBudget, sheet: BudgetSheet): KnownBudget {
  const { id, scope, period, unit, softLimit, hardLimit, spent, periodStart, countsFrom, resetsAt, version } = budget;
  const held = heldOf(budget, sheet.reservations);
  return {
    id,
    scope,
    period,
    unit,
    softLimit,
    hardLimit,
    spent,
    held,
    periodStart,
    countsFrom: countsFrom.toISOString(),
    resetsAt: resetsAt.toISOString(),
    version,
  };
}

/** Without what was used. */
export const withoutAmounts = (budget: Budget): Budget => ({ ...budget, spent: null, held: null });

export const toRequest = ({ budgetId, userId, name, amount, at }: BudgetRequestRow): BudgetRequest => ({
  budgetId,
  userId,
  name,
  amount,
  at: at.toISOString(),
});
