import type { MyBudget } from '@parley/contracts';
import { shareOf, type MyBudgets } from '../../../domain/budget/my-budgets.ts';
import { useFormats } from '../../../lib/formats.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useChatbotNames } from '../../../domain/chatbot/use-chatbot-names.ts';

/** Amounts of a budget in its unit, whose it is, and when it starts again. */
export function useBudgetAmounts(budgets: MyBudgets | undefined) {
  const { t, intl } = useText();
  const { cost } = useFormats();
  const { organisation } = useTab();
  const chatbots = useChatbotNames();
  const currency = budgets?.currency ?? null;
  return {
    amount: ({ unit }: MyBudget, value: number): string =>
      unit === 'money' && currency !== null
        ? cost(value, currency)
        : t(
            {
              id: 'settings.usage.tokenAmount',
              defaultMessage: '{amount} {count, plural, one {token} other {tokens}}',
            },
            { amount: intl.formatNumber(value, { notation: 'compact', maximumSignificantDigits: 3 }), count: value },
          ),
    nameOf: ({ scope }: MyBudget): string => {
      if (scope.kind === 'organisation') return organisation.name;
      if (scope.kind === 'person') return t({ id: 'settings.usage.budgetOwn', defaultMessage: 'your own budget' });
      if (scope.kind === 'group') return t({ id: 'settings.usage.budgetGroup', defaultMessage: 'your group’s budget' });
      if (scope.kind === 'chatbot')
        return (
          chatbots?.get(scope.id) ??
          t({ id: 'settings.usage.budgetChatbot', defaultMessage: 'the budget of a chatbot' })
        );
      return scope.id.slice(scope.id.indexOf('/') + 1);
    },
    percentLeft: (budget: MyBudget): string =>
      intl.formatNumber((100 - shareOf(budget).usedPercent) / 100, { style: 'percent' }),
    since: (countsFrom: string): string =>
      intl.formatDate(countsFrom, { day: 'numeric', month: 'short', timeZone: budgets?.timeZone }),
    resets: ({ resetsAt }: MyBudget): string =>
      intl.formatDate(resetsAt, { day: 'numeric', month: 'short', timeZone: budgets?.timeZone }),
  };
}
