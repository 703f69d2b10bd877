import type { MyBudget } from '@parley/contracts';
import { heldOf } from './budget-sheet.ts';
import type { BudgetSheet, CountedBudget } from './budget-sheet.collection.ts';

type Limited = CountedBudget & { readonly hardLimit: number };
const isLimited = (budget: CountedBudget): budget is Limited => budget.hardLimit !== null;

/** How far a budget is, without an amount. Rounded so that what is not used up never looks so. */
export function shareOf(
  budget: CountedBudget,
  { reservations }: Pick<BudgetSheet, 'reservations'>,
): NonNullable<MyBudget['share']> {
  const { spent, softLimit, hardLimit, told } = budget;
  const limit = hardLimit ?? softLimit ?? 1;
  const used = spent + heldOf(budget, reservations);
  const percent = used >= limit ? 100 : Math.min(99, Math.ceil((100 * used) / limit));
  const isWarned = softLimit !== null && spent >= softLimit;
  return { usedPercent: percent, stops: hardLimit !== null, isWarned, isUsedUp: told.includes('hard') };
}

/**
 * Those with a hard limit first, the one at their head that stops answers first: of which the least is left. Money and
 * tokens are compared by what a token costs, in micro-units; where nobody knows that, by the shares that are left.
 */
export function inOrderOfStop(sheet: BudgetSheet, budgets: readonly CountedBudget[], tokenMicros: number | null) {
  const limited = budgets.filter(isLimited);
  const isMixed = new Set(limited.map(({ unit }) => unit)).size > 1;
  const leftOf = (budget: Limited): number =>
    Math.max(0, budget.hardLimit - budget.spent - heldOf(budget, sheet.reservations));
  const nearness = (budget: Limited): number => {
    if (!isMixed) return leftOf(budget);
    if (tokenMicros === null) return leftOf(budget) / budget.hardLimit;
    return budget.unit === 'money' ? leftOf(budget) : leftOf(budget) * tokenMicros;
  };
  const inOrder = limited.toSorted((one, other) => nearness(one) - nearness(other));
  return [...inOrder, ...budgets.filter((budget) => !isLimited(budget))];
}

/** What is asked for without an amount: two fifths of the limit, to one digit. */
export function moreOf({ hardLimit, softLimit }: Pick<CountedBudget, 'hardLimit' | 'softLimit'>): number {
  const more = Math.max(1, (hardLimit ?? softLimit ?? 0) * 0.4);
  const digit = 10 ** Math.floor(Math.log10(more));
  return Math.ceil(more / digit) * digit;
}
