import type { DayUsage } from '@parley/contracts';
import { useState } from 'react';
import { useText } from '../../../lib/text.ts';
import { ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { daysOf } from '../../../lib/days.ts';
import { sumOf, tokensOf, topOf } from '../usage-month.ts';
import classes from '../usage.module.css';

type Props = { days: readonly DayUsage[]; month: string; today: string; zone: string };

/** A bar for each day of the month, or the same as a table. */
export function UsageByDay({ days, month, today, zone }: Props) {
  const { t } = useText();
  const [isTable, setTable] = useState(false);
  const byDay = daysOf(month).map((day) => ({ id: day, ...sumOf(days.filter((row) => row.day === day)) }));
  const title = t({ id: 'settings.usage.byDay', defaultMessage: 'Tokens by day' });
  return (
    <section aria-label={title}>
      <header className={classes.partHead}>
        <h3 className="p-h3">{title}</h3>
        <button type="button" className="p-link" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable
            ? t({ id: 'settings.usage.asChart', defaultMessage: 'Show as chart' })
            : t({ id: 'settings.usage.asTable', defaultMessage: 'Show as table' })}
        </button>
      </header>
      {isTable ? (
        <DayTable byDay={byDay.filter(({ answers }) => answers > 0)} />
      ) : (
        <Chart byDay={byDay} today={today} />
      )}
      <p className={`p-meta ${classes.zone}`}>
        {today.startsWith(month) && !isTable
          ? t(
              {
                id: 'settings.usage.hatched',
                defaultMessage: 'Hatched: today until now. A day begins in your time zone, {zone}.',
              },
              { zone },
            )
          : t({ id: 'settings.usage.days', defaultMessage: 'A day begins in your time zone, {zone}.' }, { zone })}
      </p>
    </section>
  );
}

type OfDay = ReturnType<typeof sumOf> & { readonly id: string };

function Chart({ byDay, today }: { byDay: readonly OfDay[]; today: string }) {
  const { t, intl } = useText();
  const top = topOf(Math.max(...byDay.map(tokensOf)));
  const date = (day: string) => intl.formatDate(day, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const marks = [top, (top * 3) / 4, top / 2, top / 4, 0];
  return (
    <div className={classes.chart}>
      <div className={classes.marks} aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark}>{intl.formatNumber(mark, { notation: 'compact' })}</span>
        ))}
      </div>
      <ol className={classes.bars}>
        {byDay.map((row) => {
          const label = t(
            {
              id: 'settings.usage.dayLabel',
              defaultMessage: '{day}: {count, number} {count, plural, one {token} other {tokens}}',
            },
            { day: date(row.id), count: tokensOf(row) },
          );
          return (
            <li key={row.id} className={classes.slot} title={label} data-today={row.id === today || undefined}>
              <span className="p-hidden">{label}</span>
              <i className={classes.bar} style={{ blockSize: `${(100 * tokensOf(row)) / top}%` }} />
            </li>
          );
        })}
      </ol>
      <div className={classes.ends} aria-hidden="true">
        <span>{intl.formatDate(byDay[0]?.id, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</span>
        <span>{intl.formatDate(byDay.at(-1)?.id, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</span>
      </div>
    </div>
  );
}

function DayTable({ byDay }: { byDay: readonly OfDay[] }) {
  const { t, intl } = useText();
  const read = t({ id: 'settings.usage.read', defaultMessage: 'Read' });
  const written = t({ id: 'settings.usage.written', defaultMessage: 'Written' });
  const answers = t({ id: 'settings.usage.answersColumn', defaultMessage: 'Answers' });
  const columns = [
    { key: 'day', label: t({ id: 'settings.usage.day', defaultMessage: 'Day' }) },
    { key: 'answers', label: answers, isFigure: true },
    { key: 'read', label: read, isFigure: true },
    { key: 'written', label: written, isFigure: true },
  ];
  return (
    <ListTable
      columns={columns}
      items={byDay}
      cells={(row) => (
        <>
          <td>{intl.formatDate(row.id, { day: 'numeric', month: 'short', timeZone: 'UTC' })}</td>
          <td className={table.figure} data-label={answers}>
            {intl.formatNumber(row.answers)}
          </td>
          <td className={table.figure} data-label={read}>
            {intl.formatNumber(row.inputTokens)}
          </td>
          <td className={table.figure} data-label={written}>
            {intl.formatNumber(row.outputTokens)}
          </td>
        </>
      )}
    />
  );
}
