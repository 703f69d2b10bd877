import { clockTime } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ChartOrTable } from '../../../ui/list-table.tsx';
import classes from '../user-monitoring.module.css';

/** A Monday. */
const monday = Date.UTC(2026, 10, 23);
const dayMs = 86_400_000;
const hourMs = 3_600_000;
const hoursMarked = [0, 6, 12, 18];
const shades = 4;

/** How often somebody asked by weekday and hour, as a map or as a table. */
export function HourMap({ hours }: { hours: readonly (readonly number[])[] }) {
  const { t, intl } = useText();
  const most = Math.max(0, ...hours.flat());
  return (
    <ChartOrTable
      title={t({ id: 'people.when.title', defaultMessage: 'When' })}
      words={{
        asChart: t({ id: 'people.when.asMap', defaultMessage: 'As map' }),
        asTable: t({ id: 'people.when.asTable', defaultMessage: 'As table' }),
      }}
      styles={{ part: classes.part, head: classes.partHead }}
      about={
        <span className="p-meta">
          {t(
            { id: 'people.when.about', defaultMessage: 'answers by hour, at most {count}' },
            { count: intl.formatNumber(most) },
          )}
        </span>
      }
      table={<HourTable hours={hours} />}
    >
      <Map hours={hours} most={most} />
    </ChartOrTable>
  );
}

function useNames() {
  const { intl } = useText();
  const weekday = (index: number, style: 'short' | 'long') =>
    intl.formatDate(monday + index * dayMs, { weekday: style, timeZone: 'UTC' });
  const hour = (value: number) => intl.formatDate(monday + value * hourMs, { ...clockTime, timeZone: 'UTC' });
  return { weekday, hour };
}

/** Darker is more; the time runs from left to right in every language. */
function Map({ hours, most }: { hours: readonly (readonly number[])[]; most: number }) {
  const { t } = useText();
  const names = useNames();
  const label = (weekday: number, hour: number, count: number) =>
    t(
      { id: 'people.when.cell', defaultMessage: '{day}, {hour}: {count, plural, one {# answer} other {# answers}}' },
      { day: names.weekday(weekday, 'long'), hour: names.hour(hour), count },
    );
  return (
    <div className={classes.map} dir="ltr">
      {hours.map((counts, weekday) => (
        <div key={weekday} className={classes.weekday}>
          <span aria-hidden="true">{names.weekday(weekday, 'short')}</span>
          {counts.map((count, hour) => (
            <i
              key={hour}
              title={label(weekday, hour, count)}
              data-shade={count === 0 ? 0 : Math.ceil((shades * count) / most)}
              {...(count > 0 && { role: 'img', 'aria-label': label(weekday, hour, count) })}
            />
          ))}
        </div>
      ))}
      <div className={classes.marks} aria-hidden="true">
        {hoursMarked.map((hour) => (
          <span key={hour}>{names.hour(hour)}</span>
        ))}
      </div>
    </div>
  );
}

/** Hours in which somebody asked. */
function HourTable({ hours }: { hours: readonly (readonly number[])[] }) {
  const { t, intl } = useText();
  const names = useNames();
  const used = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) => hours.some((counts) => counts[hour]));
  return (
    <table className={classes.hourTable}>
      <thead>
        <tr>
          <th scope="col">{t({ id: 'people.when.hour', defaultMessage: 'Hour' })}</th>
          {hours.map((_, weekday) => (
            <th key={weekday} scope="col">
              {names.weekday(weekday, 'short')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {used.map((hour) => (
          <tr key={hour}>
            <th scope="row">{names.hour(hour)}</th>
            {hours.map((counts, weekday) => (
              <td key={weekday}>{counts[hour] ? intl.formatNumber(counts[hour]) : ''}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
