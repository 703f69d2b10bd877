import { Users } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { ListView, OldNote } from '../../../ui/list-view.tsx';
import { StateView } from '../../../ui/state-view.tsx';
import { useAmounts } from '../use-amounts.ts';
import type { People } from '../use-people.ts';
import classes from '../user-monitoring.module.css';
import { PeopleBar } from './people-bar.tsx';
import { PeopleTable } from './people-table.tsx';

type Props = { people: People; open: string | null; onOpen: ((id: string) => void) | null };

export function PeopleList({ people, open, onOpen }: Props) {
  const { t } = useText();
  const { first } = people;
  return (
    <div className={classes.list}>
      <OldNote
        since={people.oldSince}
        text={(time) =>
          t(
            {
              id: 'people.old.text',
              defaultMessage: 'This could not be read again. It is how it was at {time}; it goes on by itself.',
            },
            { time },
          )
        }
      />
      <ListView
        list={people}
        loading={t({ id: 'people.list.loading', defaultMessage: 'What people used is loading' })}
        failed={t({ id: 'people.list.failed', defaultMessage: 'What people used could not be loaded' })}
        empty={first ? <Nobody first={first} /> : null}
        filtering={{
          bar: <PeopleBar people={people} />,
          none: t({ id: 'people.list.none', defaultMessage: 'No pseudonym matches' }),
          about: t({
            id: 'people.list.noneText',
            defaultMessage: 'The search looks at how pseudonyms begin. Those of earlier months are others.',
          }),
          clear: () => people.setFilters({ text: null }),
        }}
        foot={first ? <Foot first={first} /> : null}
      >
        {(rows) =>
          first ? <PeopleTable rows={rows} people={people} first={first} open={open} onOpen={onOpen} /> : null
        }
      </ListView>
    </div>
  );
}

type First = { first: NonNullable<People['first']> };

/** Nobody stands apart: nobody was active, or too few were. */
function Nobody({ first: { total, currency } }: First) {
  const { t } = useText();
  const amounts = useAmounts(currency);
  if (total.attempts === 0)
    return (
      <StateView
        icon={Users}
        title={t({ id: 'people.empty.title', defaultMessage: 'Nobody has used it in this time' })}
      >
        {t({
          id: 'people.empty.text',
          defaultMessage: 'People who get an answer appear here a few seconds later, under a pseudonym.',
        })}
      </StateView>
    );
  const figures = [
    { label: t({ id: 'people.column.answers', defaultMessage: 'Answers' }), value: amounts.number(total.attempts) },
    { label: t({ id: 'people.column.tokens', defaultMessage: 'Tokens' }), value: amounts.tokens(total) },
    { label: t({ id: 'people.column.cost', defaultMessage: 'Cost' }), value: amounts.cost(total) },
  ];
  return (
    <StateView icon={Users} title={t({ id: 'people.few.title', defaultMessage: 'Fewer than 5 people were active' })}>
      <span>
        {t({
          id: 'people.few.text',
          defaultMessage: 'So few are not shown apart, for others could tell who is who. Together they used:',
        })}
      </span>
      <dl className={classes.totals}>
        {figures.map(({ label, value }) => (
          <div key={label}>
            <dt className="p-meta">{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </StateView>
  );
}

/** What the rows leave out. */
function Foot({ first: { months, isCut, currency } }: First) {
  const { t, intl } = useText();
  const { month } = useAmounts(currency);
  const hidden = months.filter(({ people }) => people === null);
  const said = [
    ...(hidden.length > 0
      ? [
          t(
            {
              id: 'people.foot.hidden',
              defaultMessage: 'In {months} fewer than 5 people were active so far: they are not shown apart.',
            },
            { months: intl.formatList(hidden.map((one) => month(one.month))) },
          ),
        ]
      : []),
    ...(isCut
      ? [
          t({
            id: 'people.foot.cut',
            defaultMessage: 'More was used than is added up here: the earliest days are missing.',
          }),
        ]
      : []),
  ];
  return said.length > 0 ? said.join(' ') : null;
}
