import type { DayUsage } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ChartOrTable, ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { daysOf } from '../../../lib/days.ts';
import { sumOf, tokensOf, topOf } from './usage-month.ts';
import classes from './usage.module.css';

type Props = { days: readonly DayUsage[]; month: string; today: string; currency: string | null };
/** What a bar stands for, and how it is written at the marks and in words. */
type Measure = {
  readonly title: string;
  valueOf(row: OfDay): number;
  mark(value: number): string;
  label(row: OfDay, day: string): string;
};

/** A bar for each day of the month, or the same as a table: what it has cost, or its tokens where there is no currency. */
export function UsageByDay({ days, month, today, currency }: Props) {
  const { t } = useText();
  const measure = useMeasure(currency);
  const byDay = daysOf(month).map((day) => ({ id: day, ...sumOf(days.filter((row) => row.day === day)) }));
  return (
    <ChartOrTable
      title={measure.title}
      words={{
        asChart: t({ id: 'settings.usage.asChart', defaultMessage: 'Show as chart' }),
        asTable: t({ id: 'settings.usage.asTable', defaultMessage: 'Show as table' }),
      }}
      styles={{ head: classes.partHead }}
      table={<DayTable byDay={byDay.filter(({ answers }) => answers > 0)} currency={currency} />}
    >
      <Chart byDay={byDay} today={today} measure={measure} />
    </ChartOrTable>
  );
}

type OfDay = ReturnType<typeof sumOf> & { readonly id: string };

function useMeasure(currency: string | null): Measure {
  const { t, intl } = useText();
  const { cost } = useFormats();
  if (currency !== null)
    return {
      title: t({ id: 'settings.usage.costByDay', defaultMessage: 'Cost by day' }),
      valueOf: ({ costMicros }) => costMicros,
      mark: (value) => cost(value, currency),
      label: ({ costMicros }, day) => `${day}: ${cost(costMicros, currency)}`,
    };
  return {
    title: t({ id: 'settings.usage.byDay', defaultMessage: 'Tokens by day' }),
    valueOf: tokensOf,
    mark: (value) => intl.formatNumber(value, { notation: 'compact' }),
    label: (row, day) =>
      t(
        {
          id: 'settings.usage.dayLabel',
          defaultMessage: '{day}: {count, number} {count, plural, one {token} other {tokens}}',
        },
        { day, count: tokensOf(row) },
      ),
  };
}

function Chart({ byDay, today, measure }: { byDay: readonly OfDay[]; today: string; measure: Measure }) {
  const { intl } = useText();
  const { valueOf, mark: written, label: labelOf } = measure;
  const top = topOf(Math.max(...byDay.map(valueOf)));
  const date = (day: string) => intl.formatDate(day, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const marks = [top, (top * 3) / 4, top / 2, top / 4, 0];
  return (
    <div className={`p-chart ${classes.chart}`}>
      <div className="p-scale" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{written(mark)}</span>
        ))}
      </div>
      <ol className={classes.bars}>
        {byDay.map((row) => {
          const label = labelOf(row, date(row.id));
          return (
            <li key={row.id} className={classes.slot} title={label} data-today={row.id === today || undefined}>
              <span className="p-hidden">{label}</span>
              <i className={classes.bar} style={{ blockSize: `${(100 * valueOf(row)) / top}%` }} />
            </li>
          );
        })}
      </ol>
      <div className="p-ends" aria-hidden="true">
        <span>{intl.formatDate(byDay[0]?.id, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</span>
        <span>{intl.formatDate(byDay.at(-1)?.id, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</span>
      </div>
    </div>
  );
}

function DayTable({ byDay, currency }: { byDay: readonly OfDay[]; currency: string | null }) {
  const { t, intl } = useText();
  const { cost, number } = useFormats();
  const columns = [
    {
      label: t({ id: 'settings.usage.answersColumn', defaultMessage: 'Answers' }),
      of: ({ answers }: OfDay) => number(answers),
    },
    ...(currency === null
      ? [
          {
            label: t({ id: 'settings.usage.read', defaultMessage: 'Read' }),
            of: ({ inputTokens }: OfDay) => number(inputTokens),
          },
          {
            label: t({ id: 'settings.usage.written', defaultMessage: 'Written' }),
            of: ({ outputTokens }: OfDay) => number(outputTokens),
          },
        ]
      : [
          {
            label: t({ id: 'settings.usage.cost', defaultMessage: 'Cost' }),
            of: ({ costMicros }: OfDay) => cost(costMicros, currency),
          },
        ]),
  ];
  return (
    <ListTable
      columns={[
        { key: 'day', label: t({ id: 'settings.usage.day', defaultMessage: 'Day' }) },
        ...columns.map(({ label }) => ({ key: label, label, isFigure: true })),
      ]}
      items={byDay}
      cells={(row) => (
        <>
          <td>{intl.formatDate(row.id, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</td>
          {columns.map(({ label, of }) => (
            <td key={label} className={table.figure} data-label={label}>
              {of(row)}
            </td>
          ))}
        </>
      )}
    />
  );
}
