import type { Model } from '@parley/contracts';
import type { ReactNode } from 'react';
import { LateTexts } from '../../../lib/late-texts.tsx';
import { isOpen, leftOf, nextToStop, shareOf, useMyBudgets } from '../../../domain/budget/my-budgets.ts';
import { useText } from '../../../lib/text.ts';
import { fresh, useBudgetWords } from '../state/budgets.ts';

type Props = { model: Model; chatbotId: string | undefined; otherwise: ReactNode };

/**
 * Shows how much is left of the budget that stops the next message first, and when that budget resets. Says for a model
 * without a price that no budget limits it. Shows `otherwise` if no budget can stop the message.
 */
export const BudgetLeft = (props: Props) => (
  <LateTexts part="talk">
    <Left {...props} />
  </LateTexts>
);

function Left({ model, chatbotId, otherwise }: Props) {
  const { t } = useText();
  const { data } = useMyBudgets(fresh);
  const { amount, resets, percentLeft, about } = useBudgetWords(data?.currency ?? null, data?.timeZone ?? 'UTC');
  // Show no budget for the built-in assistant, which costs nothing.
  const items = data && model.key !== 'builtin' ? data.items : [];
  const asked = { model: model.key, chatbotId };
  const isUnpriced = model.price === null;
  const budget = nextToStop(items, { ...asked, isUnpriced });
  if (!budget && nextToStop(items, asked))
    return t({ id: 'talk.budget.uncounted', defaultMessage: 'No price: not limited by a budget' });
  if (!budget) return otherwise;
  const when = resets(budget.resetsAt);
  const left = isOpen(budget) ? amount(budget, leftOf(budget)) : percentLeft(budget);
  return (
    <span title={about(budget)}>
      {shareOf(budget).usedPercent === 100
        ? t({ id: 'talk.budget.none', defaultMessage: 'Budget spent until {when}' }, { when })
        : t({ id: 'talk.budget.left', defaultMessage: '{amount} left until {when}' }, { amount: left, when })}
    </span>
  );
}
