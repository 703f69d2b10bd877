import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { leftOf, tightest, useBudgetWords, useMyBudgets } from '../budgets.ts';

type Props = { model: string | undefined; chatbotId: string | undefined; otherwise: ReactNode };

/** What is left of the budget that is nearest to its end, and when it starts again; nothing where none bounds me. */
export function BudgetLeft({ model, chatbotId, otherwise }: Props) {
  const { t } = useText();
  const { data } = useMyBudgets();
  const { amount, resets } = useBudgetWords(data?.currency ?? null, data?.timeZone ?? 'UTC');
  const budget = data ? tightest(data.items, { model, chatbotId }) : null;
  if (!budget) return otherwise;
  const left = leftOf(budget);
  const when = resets(budget.resetsAt);
  if (left === 0) return t({ id: 'chat.budget.none', defaultMessage: 'Budget spent until {when}' }, { when });
  return t(
    { id: 'chat.budget.left', defaultMessage: '{amount} left until {when}' },
    { amount: amount(budget, left), when },
  );
}
