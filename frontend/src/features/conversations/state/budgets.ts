import type { MyBudget } from '@parley/contracts';
import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { shareOf } from '../../../domain/budget/my-budgets.ts';
import { clockTime, useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';

/** Lets the composer show spend that was read at most 10 s ago. */
export const fresh = { staleTime: 10_000 } as const;
/** Returns words for money or tokens, and for the time when a budget resets, in the organisation's time zone. */
export function useBudgetWords(currency: string | null, timeZone: string) {
  const intl = useIntl();
  const { t } = useText();
  const { cost } = useFormats();
  const amount = useCallback(
    ({ unit }: Pick<MyBudget, 'unit'>, value: number) =>
      unit === 'money'
        ? cost(value, currency ?? 'EUR')
        : t(
            { id: 'chat.run.tokens', defaultMessage: '{count, plural, one {# token} other {# tokens}}' },
            { count: value },
          ),
    [cost, currency, t],
  );
  const resets = (iso: string) => intl.formatDate(iso, { day: 'numeric', month: 'long', ...clockTime, timeZone });
  /** Returns the rest of a budget as a percentage. */
  const percentLeft = (budget: MyBudget): string =>
    intl.formatNumber((100 - shareOf(budget).usedPercent) / 100, { style: 'percent' });
  const about = ({ scope, countsFrom }: MyBudget): string =>
    t(
      {
        id: 'talk.budget.about',
        defaultMessage:
          '{whose, select, organisation {The organisation’s budget} group {Your group’s budget} person {Your budget} chatbot {This chatbot’s budget} other {This model’s budget}}{since, select, none {} other {, counted since {since}}}',
      },
      { whose: scope.kind, since: countsFrom === undefined ? 'none' : resets(countsFrom) },
    );
  return { amount, resets, percentLeft, about };
}
