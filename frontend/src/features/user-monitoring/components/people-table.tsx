import type { PersonUse } from '@parley/contracts';
import { UserRound } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import { budgetStateOf } from '../budget-state.ts';
import { useAmounts } from '../use-amounts.ts';
import type { People, PeopleSort } from '../use-people.ts';
import classes from '../user-monitoring.module.css';
import { BudgetMeter } from './budget-meter.tsx';

type Props = {
  rows: readonly PersonUse[];
  people: People;
  first: NonNullable<People['first']>;
  open: string | null;
  onOpen: (id: string) => void;
};

export function PeopleTable({ rows, people, first, open, onOpen }: Props) {
  const { t } = useText();
  const { currency, timeZone, months } = first;
  const amounts = useAmounts(currency);
  const labels = useLabels();
  const sorted = (key: PeopleSort, label: string, isFigure: boolean): Column => ({
    key,
    label,
    isFigure,
    sort: {
      isCurrent: people.sort === key,
      direction: 'descending',
      onSort: () => people.setFilters({ sort: key === 'cost' ? null : key }),
    },
  });
  const columns = [
    { key: 'person', label: labels.person },
    sorted('answers', labels.answers, true),
    sorted('tokens', labels.tokens, true),
    sorted('cost', labels.cost, true),
    { key: 'budget', label: labels.budget },
    sorted('seen', labels.seen, false),
  ];
  return (
    <ListTable
      columns={columns}
      items={rows}
      isCurrent={({ id }) => id === open}
      cells={(person) => (
        <>
          <td>
            <PersonCell
              person={person}
              month={person.month === months[0]?.month ? null : amounts.month(person.month)}
              onOpen={() => onOpen(person.id)}
            />
          </td>
          <td className={table.figure} data-label={labels.answers}>
            {amounts.number(person.attempts)}
          </td>
          <td className={table.figure} data-label={labels.tokens}>
            {amounts.tokens(person)}
          </td>
          <td className={table.figure} data-label={labels.cost}>
            {amounts.cost(person)}
          </td>
          <td
            className={classes.budget}
            data-label={labels.budget}
            data-none={person.budgetPercent === null || undefined}
          >
            {person.budgetPercent === null ? (
              <span title={t({ id: 'people.budget.none', defaultMessage: 'No budget of their own' })}>–</span>
            ) : (
              <BudgetMeter percent={person.budgetPercent} />
            )}
          </td>
          <td className={classes.seen} data-label={labels.seen}>
            {amounts.lastDay(person.lastDay, timeZone)}
          </td>
        </>
      )}
    />
  );
}

function useLabels() {
  const { t } = useText();
  return {
    person: t({ id: 'people.column.person', defaultMessage: 'Person' }),
    answers: t({ id: 'people.column.answers', defaultMessage: 'Answers' }),
    tokens: t({ id: 'people.column.tokens', defaultMessage: 'Tokens' }),
    cost: t({ id: 'people.column.cost', defaultMessage: 'Cost' }),
    budget: t({ id: 'people.column.budget', defaultMessage: 'Of budget' }),
    seen: t({ id: 'people.column.seen', defaultMessage: 'Last used' }),
  };
}

type CellProps = { person: PersonUse; month: string | null; onOpen: () => void };

/** The pseudonym opens the panel; beside it the name while I may see it, and what one should know of the person. */
function PersonCell({ person, month, onOpen }: CellProps) {
  const { t } = useText();
  const state = budgetStateOf(person.budgetPercent);
  return (
    <span className={table.named}>
      <span className={classes.nobody} aria-hidden="true">
        <UserRound size={14} strokeWidth={1.75} />
      </span>
      <span>
        <button type="button" className={classes.open} onClick={onOpen}>
          <span className="p-mono" dir="ltr">
            {person.pseudonym}
          </span>
        </button>
        {person.name ? (
          <span className={table.second}>
            <bdi>{person.name.name}</bdi>
          </span>
        ) : null}
        {month ? <span className={table.second}>{month}</span> : null}
        {state === null ? null : (
          <span className={`${table.second} ${classes.state}`}>
            <StatusShape kind={state === 'spent' ? 'bad' : 'warning'} />
            {state === 'spent'
              ? t({ id: 'people.budget.spent', defaultMessage: 'Budget used up' })
              : t({ id: 'people.budget.near', defaultMessage: 'Near the limit' })}
          </span>
        )}
      </span>
    </span>
  );
}
