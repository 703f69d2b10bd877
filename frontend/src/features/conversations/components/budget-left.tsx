import type { ReactNode } from 'react';
import { isOpen, leftOf, nextToStop, shareOf, useMyBudgets } from '../../../lib/my-budgets.ts';
import { useText } from '../../../lib/text.ts';
import { fresh, useBudgetWords } from '../budgets.ts';

type Props = { model: string; chatbotId: string | undefined; otherwise: ReactNode };

/** What is left of the budget that stops the next message first, and when it starts again; nothing where none bounds me. */
export function BudgetLeft({ model, chatbotId, otherwise }: Props) {
  const { t } = useText();
  const { data } = useMyBudgets(fresh);
  const { amount, resets, percentLeft, about } = useBudgetWords(data?.currency ?? null, data?.timeZone ?? 'UTC');
  // The built-in assistant costs nothing.
  const budget = data && model !== 'builtin' ? nextToStop(data.items, { model, chatbotId }) : null;
  if (!budget) return otherwise;
  const when = resets(budget.resetsAt);
  const left = isOpen(budget) ? amount(budget, leftOf(budget)) : percentLeft(budget);
  return (
    <span title={about(budget)}>
      {shareOf(budget).usedPercent === 100
        ? t({ id: 'chat.budget.none', defaultMessage: 'Budget spent until {when}' }, { when })
        : t({ id: 'chat.budget.left', defaultMessage: '{amount} left until {when}' }, { amount: left, when })}
    </span>
  );
}
