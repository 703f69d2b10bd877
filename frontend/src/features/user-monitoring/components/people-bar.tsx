import { X } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { useAmounts } from '../use-amounts.ts';
import type { People } from '../use-people.ts';
import classes from '../user-monitoring.module.css';

/** Search by pseudonym, who is near a limit, and how many people there are. */
export function PeopleBar({ people: { filters, setFilters, first } }: { people: People }) {
  const { t } = useText();
  const isNear = filters.budget === 'near';
  return (
    <div className={`${table.bar} ${classes.bar}`}>
      <TextFilter
        label={t({ id: 'people.filter.text', defaultMessage: 'Pseudonym' })}
        text={filters.text}
        onChange={(text) => setFilters({ text })}
      />
      <button
        type="button"
        className={table.chip}
        aria-pressed={isNear}
        onClick={() => setFilters({ budget: isNear ? null : 'near' })}
      >
        {t({ id: 'people.filter.near', defaultMessage: 'Over 80 % of budget' })}
        {isNear ? <X size={14} strokeWidth={1.75} aria-hidden="true" /> : null}
      </button>
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
