import { dayAt } from '@parley/contracts';
import type { Budget } from '@parley/contracts';
import { useState } from 'react';
import { daysOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/formats.ts';
import type { Answer } from '../../../lib/http.ts';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { leftOf } from '../budgets/use-budgets.ts';
import { useBudgetWords } from '../budgets/use-budget-words.ts';
import { forecastMicros, topOf, upToNow, type MonthPoint } from './spend-month.ts';
import { useMoney } from '../state/use-money.ts';
import classes from '../parts/billing.module.css';

export type Spend = Answer<'GET /api/billing/spend'>;
type Props = {
  spend: Spend;
  month: string;
  today: string;
  now: number;
  /** Of the organisation in this month, in money. */
  budget: Budget | null;
};

/** What was spent by each day of the month, and where it goes if it goes on so; or the same as a table. */
export function SpendChart({ spend, month, today, now, budget }: Props) {
  const { t, intl } = useText();
  const { sum } = useMoney();
  const [isTable, setTable] = useState(false);
  const { days, currency, timeZone } = spend;
  const points = upToNow(days, month, today);
  const spent = points.at(-1)?.sumMicros ?? 0;
  const forecast = forecastMicros(spent, { month, timeZone, now });
  const amount = (micros: number) => (currency ? sum(micros, currency) : '–');
  const title = t({ id: 'billing.chart.title', defaultMessage: 'Spent by day' });
  return (
    <section className={classes.part} aria-label={title}>
      <header className={classes.spentHead}>
        <b className={classes.amount}>{amount(spent)}</b>
        <span className="p-quiet p-sm">
          {t(
            { id: 'billing.chart.spent', defaultMessage: 'spent in {month}' },
            { month: intl.formatDate(`${month}-15`, { month: 'long', timeZone: 'UTC' }) },
          )}
          {today.startsWith(month) && currency
            ? ` · ${
                forecast === null
                  ? t({ id: 'billing.chart.tooEarly', defaultMessage: 'too early to tell what it will become' })
                  : t(
                      { id: 'billing.chart.forecast', defaultMessage: 'forecast {amount}' },
                      { amount: amount(forecast) },
                    )
              }`
            : null}
          {budget && currency ? <BudgetFacts budget={budget} timeZone={timeZone} amount={amount} /> : null}
        </span>
        <button
          type="button"
          className={`p-link p-sm ${classes.switch}`}
          aria-pressed={isTable}
          onClick={() => setTable(!isTable)}
        >
          {isTable
            ? t({ id: 'billing.chart.asChart', defaultMessage: 'Show as chart' })
            : t({ id: 'billing.chart.asTable', defaultMessage: 'Show as table' })}
        </button>
      </header>
      {isTable ? (
        <DayTable points={points.filter(({ costMicros }) => costMicros > 0)} amount={amount} timeZone={timeZone} />
      ) : (
        <Curve
          points={points}
          month={month}
          forecast={forecast}
          currency={currency}
          limit={budget?.hardLimit ?? null}
        />
      )}
    </section>
  );
}

type FactsProps = { budget: Budget; timeZone: string; amount: (micros: number) => string };

/** What running answers can still use, and what is left beside it; since when, where that is not the whole month. */
function BudgetFacts({ budget, timeZone, amount }: FactsProps) {
  const { t } = useText();
  const { day } = useBudgetWords({ currency: null, timeZone });
  const left = leftOf(budget);
  const { countsFrom, periodStart } = budget;
  const isLate = countsFrom !== undefined && dayAt(Date.parse(countsFrom), timeZone) > periodStart;
  const since = isLate ? day(countsFrom) : null;
  return (
    <>
      {budget.held
        ? ` · ${t({ id: 'billing.chart.held', defaultMessage: '{amount} held for running answers' }, { amount: amount(budget.held) })}`
        : null}
      {left === null
        ? null
        : ` · ${
            since
              ? t(
                  {
                    id: 'billing.chart.leftSince',
                    defaultMessage: '{amount} left of the budget, counted since {since}',
                  },
                  { amount: amount(left), since },
                )
              : t({ id: 'billing.chart.left', defaultMessage: '{amount} left' }, { amount: amount(left) })
          }`}
    </>
  );
}

type CurveProps = {
  points: readonly MonthPoint[];
  month: string;
  forecast: number | null;
  currency: string | null;
  limit: number | null;
};
/** A limit that is higher than so many times the curve would flatten it. */
const mostAbove = 4;

/** Time goes from left to right in every language. */
function Curve({ points, month, forecast, currency, limit }: CurveProps) {
  const { t, intl } = useText();
  const { cost } = useFormats();
  const days = daysOf(month);
  const spent = points.at(-1)?.sumMicros ?? 0;
  const highest = Math.max(spent, forecast ?? 0);
  const stop = limit !== null && limit <= highest * mostAbove ? limit : null;
  const top = topOf(Math.max(highest, stop ?? 0));
  const x = (index: number) => (100 * index) / days.length;
  const y = (micros: number) => 100 - (100 * micros) / top;
  const line = [`0,100`, ...points.map(({ sumMicros }, index) => `${x(index + 1)},${y(sumMicros)}`)].join(' ');
  const end = { x: x(points.length), y: y(spent) };
  const mark = (micros: number) =>
    currency
      ? intl.formatNumber(micros / 1e6, { style: 'currency', currency, maximumFractionDigits: top < 10e6 ? 2 : 0 })
      : '';
  const date = (day: string) => intl.formatDate(day, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const label = t(
    { id: 'billing.chart.label', defaultMessage: 'Spent until {day}: {amount}' },
    { day: date(points.at(-1)?.day ?? days[0] ?? ''), amount: currency ? cost(spent, currency) : '–' },
  );
  return (
    <figure className={`p-chart ${classes.chart}`} dir="ltr">
      <figcaption className="p-hidden" dir="auto">
        {label}
      </figcaption>
      <div className="p-scale" aria-hidden="true">
        {[top, top / 2, 0].map((micros) => (
          <span key={micros}>{mark(micros)}</span>
        ))}
      </div>
      <div className={classes.plot}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <polygon className={classes.area} points={`${line} ${end.x},100`} />
          <polyline className={classes.line} points={line} />
          {forecast === null ? null : (
            <polyline className={classes.ahead} points={`${end.x},${end.y} 100,${y(forecast)}`} />
          )}
        </svg>
        {stop === null || !currency ? null : (
          <span className={classes.stop} style={{ top: `${y(stop)}%` }}>
            <span dir="auto">
              {t(
                { id: 'billing.chart.stop', defaultMessage: 'Hard limit: answers stop at {amount}' },
                { amount: cost(stop, currency) },
              )}
            </span>
          </span>
        )}
        <i className={classes.now} style={{ left: `${end.x}%`, top: `${end.y}%` }} />
      </div>
      <div className="p-ends" aria-hidden="true">
        <span>{date(days[0] ?? '')}</span>
        <span>{date(days.at(-1) ?? '')}</span>
      </div>
    </figure>
  );
}

type DayTableProps = { points: readonly MonthPoint[]; amount: (micros: number) => string; timeZone: string };

function DayTable({ points, amount, timeZone }: DayTableProps) {
  const { t } = useText();
  const { day } = useFormats();
  const labels = {
    onDay: t({ id: 'billing.chart.onDay', defaultMessage: 'Spent' }),
    until: t({ id: 'billing.chart.until', defaultMessage: 'Since the beginning of the month' }),
  };
  const columns = [
    { key: 'day', label: t({ id: 'billing.chart.day', defaultMessage: 'Day' }) },
    { key: 'onDay', label: labels.onDay, isFigure: true },
    { key: 'until', label: labels.until, isFigure: true },
  ];
  return (
    <ListTable
      columns={columns}
      items={points.map((point) => ({ id: point.day, ...point }))}
      cells={(point) => (
        <>
          <td>{day(point.day)}</td>
          <td className={table.figure} data-label={labels.onDay}>
            {amount(point.costMicros)}
            {point.utcMicros > 0 && timeZone !== 'UTC' ? (
              <span className={table.second}>{t({ id: 'billing.chart.inUtc', defaultMessage: 'by days in UTC' })}</span>
            ) : null}
          </td>
          <td className={table.figure} data-label={labels.until}>
            {amount(point.sumMicros)}
          </td>
        </>
      )}
    />
  );
}
