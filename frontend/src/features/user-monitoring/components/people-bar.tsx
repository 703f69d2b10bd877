import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { useAmounts } from '../use-amounts.ts';
import type { People } from '../use-people.ts';
import classes from '../user-monitoring.module.css';

/** Search by pseudonym, and how many people there are. */
export function PeopleBar({ people: { filters, setFilters, first } }: { people: People }) {
  const { t } = useText();
  return (
    <div className={`${table.bar} ${classes.bar}`}>
      <TextFilter
        label={t({ id: 'people.filter.text', defaultMessage: 'Pseudonym' })}
        text={filters.text}
        onChange={(text) => setFilters({ text })}
      />
      {first ? <Counts months={first.months} /> : null}
    </div>
  );
}

/** Nobody can tell who of one month is who of the other, so each is counted by itself. */
function Counts({ months }: { months: NonNullable<People['first']>['months'] }) {
  const { t, intl } = useText();
  const { month } = useAmounts(null);
  const [only, ...others] = months;
  const counted = months.map((one) =>
    one.people === null
      ? t({ id: 'people.count.few', defaultMessage: '{month}: fewer than 5 people' }, { month: month(one.month) })
      : t(
          { id: 'people.count.month', defaultMessage: '{month}: {count, plural, one {# person} other {# people}}' },
          { month: month(one.month), count: one.people },
        ),
  );
  return (
    <span className={table.end}>
      {only?.people && others.length === 0
        ? t(
            { id: 'people.count.all', defaultMessage: '{count, plural, one {# person} other {# people}} used it' },
            { count: only.people },
          )
        : intl.formatList(counted, { type: 'unit' })}
    </span>
  );
}
