import type { DayUsage } from '@parley/contracts';
import type { ReactNode } from 'react';
import { clockTime, useFormats } from '../../../lib/formats.ts';
import { isOpen, leftOf, nextToStop, type MyBudgets } from '../../../domain/budget/my-budgets.ts';
import { useText } from '../../../lib/text.ts';
import { sumOf, tokensOf, type Totals } from './usage-month.ts';
import { useBudgetAmounts } from './use-budget-amounts.ts';
import classes from './usage.module.css';

type Figure = { readonly label: string; readonly value: ReactNode; readonly about: string };
type Props = {
  days: readonly DayUsage[];
  /** Null in earlier months. */
  today: string | null;
  currency: string | null;
  budgets: MyBudgets | undefined;
};

/** The sums of the month, and of today and what is left where it is this month. */
export function UsageFigures({ days, today, currency, budgets }: Props) {
  const used = useUsedFigures();
  const left = useLeftFigures(budgets);
  const all = sumOf(days);
  const month = days[0]?.day ?? '';
  const figures = [
    ...(today === null ? [] : [used.today(sumOf(days.filter(({ day }) => day === today)), currency)]),
    used.month(all, month),
    ...(currency === null ? [] : [used.spent(all, month, currency)]),
    ...(today === null ? [] : left),
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(({ label, value, about }) => (
        <div key={label} className={classes.figure}>
          <dt className="p-meta">{label}</dt>
          <dd>{value}</dd>
          <dd className="p-meta">{about}</dd>
        </div>
      ))}
    </dl>
  );
}

function useUsedFigures() {
  const { t, intl } = useText();
  const { cost } = useFormats();
  const nameOf = (day: string) => intl.formatDate(day, { month: 'long', timeZone: 'UTC' });
  const answers = ({ answers: count }: Totals) =>
    t({ id: 'settings.usage.answers', defaultMessage: '{count, plural, one {# answer} other {# answers}}' }, { count });
  const tokens = (totals: Totals) => (
    <span title={intl.formatNumber(tokensOf(totals))}>
      <b className={classes.value}>
        {intl.formatNumber(tokensOf(totals), { notation: 'compact', maximumSignificantDigits: 3 })}
      </b>{' '}
      {t(
        { id: 'settings.usage.tokens', defaultMessage: '{count, plural, one {token} other {tokens}}' },
        { count: tokensOf(totals) },
      )}
    </span>
  );
  return {
    today: (totals: Totals, currency: string | null): Figure => ({
      label: t({ id: 'settings.usage.today', defaultMessage: 'Today' }),
      value: tokens(totals),
      about: [answers(totals), ...(currency === null ? [] : [cost(totals.costMicros, currency)])].join(' · '),
    }),
    month: (totals: Totals, day: string): Figure => ({
      label: nameOf(day),
      value: tokens(totals),
      about: answers(totals),
    }),
    spent: (totals: Totals, day: string, currency: string): Figure => ({
      label: t({ id: 'settings.usage.spent', defaultMessage: 'Spent in {month}' }, { month: nameOf(day) }),
      value: <b className={classes.value}>{cost(totals.costMicros, currency)}</b>,
      about:
        totals.unpricedAttempts > 0
          ? t(
              { id: 'settings.usage.without', defaultMessage: '{count} without a price are not in it' },
              { count: intl.formatNumber(totals.unpricedAttempts) },
            )
          : t({ id: 'settings.usage.spentAbout', defaultMessage: 'as on the organisation’s bill' }),
    }),
  };
}

/** Of the budget that stops answers first; nothing where none does. */
function useLeftFigures(budgets: MyBudgets | undefined): Figure[] {
  const { t, intl } = useText();
  const amounts = useBudgetAmounts(budgets);
  const budget = nextToStop(budgets?.items ?? []);
  if (!budget) return [];
  return [
    {
      label: t({ id: 'settings.usage.left', defaultMessage: 'Left' }),
      value: (
        <b className={classes.value}>
          {isOpen(budget) ? amounts.amount(budget, leftOf(budget)) : amounts.percentLeft(budget)}
        </b>
      ),
      about:
        budget.hardLimit === null
          ? amounts.nameOf(budget)
          : t(
              { id: 'settings.usage.leftOf', defaultMessage: 'of {limit}, {whose}' },
              { limit: amounts.amount(budget, budget.hardLimit), whose: amounts.nameOf(budget) },
            ),
    },
    {
      label: t({ id: 'settings.usage.again', defaultMessage: 'Resets' }),
      value: <b className={classes.value}>{amounts.resets(budget)}</b>,
      about: intl.formatDate(budget.resetsAt, { ...clockTime, timeZoneName: 'short', timeZone: budgets?.timeZone }),
    },
  ];
}
