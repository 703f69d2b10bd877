import type { PersonUse } from '@parley/contracts';
import { UserRound } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { ListTable, type Column } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { useAmounts } from '../use-amounts.ts';
import type { People, PeopleSort } from '../use-people.ts';
import classes from '../user-monitoring.module.css';

type Props = {
  rows: readonly PersonUse[];
  people: People;
  first: NonNullable<People['first']>;
  open: string | null;
  /** Null for readers who may not see what one person uses when. */
  onOpen: ((id: string) => void) | null;
};

export function PeopleTable({ rows, people, first, open, onOpen }: Props) {
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
              onOpen={onOpen && (() => onOpen(person.id))}
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
    seen: t({ id: 'people.column.seen', defaultMessage: 'Last used' }),
  };
}

type CellProps = { person: PersonUse; month: string | null; onOpen: (() => void) | null };

/** The pseudonym opens the panel; beside it the name while I may see it. */
function PersonCell({ person, month, onOpen }: CellProps) {
  const pseudonym = (
    <span className="p-mono" dir="ltr">
      {person.pseudonym}
    </span>
  );
  return (
    <span className={table.named}>
      <span className={classes.nobody} aria-hidden="true">
        <UserRound size={14} />
      </span>
      <span>
        {onOpen ? (
          <button type="button" className={`p-plain ${classes.open}`} onClick={onOpen}>
            {pseudonym}
          </button>
        ) : (
          pseudonym
        )}
        {person.name ? (
          <span className={table.second}>
            <bdi>{person.name.name}</bdi>
          </span>
        ) : null}
        {month ? <span className={table.second}>{month}</span> : null}
      </span>
    </span>
  );
}
