import { useText } from '../../../lib/text.ts';
import { ChoiceFilters, type FilterChoice } from '../../../ui/choice-filters.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { useGroups, useRoles, type useSeats } from '../../../domain/role/use-roles.ts';
import classes from '../people/people.module.css';

type Filter = {
  readonly text: string | null;
  readonly role: string | null;
  readonly groupId: string | null;
  readonly status: string | null;
};
type Choice = FilterChoice<'role' | 'groupId' | 'status'>;
type Props = { filter: Filter; onChange: (part: Partial<Filter>) => void; seats: ReturnType<typeof useSeats> };

/** The server takes one of them at a time: choosing another replaces it. */
const noChoice = { role: null, groupId: null, status: null };

/** Search, one of role, group and state, and the seats; on a small screen the choices stand behind one button. */
export function PeopleFilterBar({ filter, onChange, seats }: Props) {
  const { t } = useText();
  return (
    <div className={`${table.bar} ${classes.bar}`}>
      <TextFilter
        label={t({ id: 'organisation.members.search', defaultMessage: 'Name or email' })}
        text={filter.text}
        onChange={(text) => onChange({ text })}
      />
      <ChoiceFilters choices={useChoices()} values={filter} onChange={(part) => onChange({ ...noChoice, ...part })} />
      <Seats seats={seats} />
    </div>
  );
}

function Seats({ seats }: Pick<Props, 'seats'>) {
  const { t } = useText();
  if (!seats) return null;
  const { used, held, limit } = seats;
  const words =
    limit === null
      ? t(
          {
            id: 'organisation.seats.unlimited',
            defaultMessage:
              '{used, plural, one {# member} other {# members}}{held, plural, =0 {} other {, # invited by email}}',
          },
          { used, held },
        )
      : t(
          {
            id: 'organisation.seats.counts',
            defaultMessage:
              '{used, number} of {limit, plural, one {# seat} other {# seats}}{held, plural, =0 {} other {, # held for invitations}}',
          },
          { used, held, limit },
        );
  return <span className={table.end}>{words}</span>;
}

function useChoices(): Choice[] {
  const { t } = useText();
  const { roles, nameOf } = useRoles();
  const { groups } = useGroups();
  const choices: Choice[] = [
    {
      name: 'role',
      label: t({ id: 'organisation.people.role', defaultMessage: 'Role' }),
      options: roles.map(({ id }) => ({ value: id, label: nameOf(id) })),
    },
    {
      name: 'groupId',
      label: t({ id: 'organisation.people.group', defaultMessage: 'Group' }),
      options: groups.map(({ id, name }) => ({ value: id, label: name })),
    },
    {
      name: 'status',
      label: t({ id: 'organisation.people.state', defaultMessage: 'State' }),
      options: [
        { value: 'active', label: t({ id: 'organisation.state.active', defaultMessage: 'Active' }) },
        { value: 'suspended', label: t({ id: 'organisation.state.suspended', defaultMessage: 'Suspended' }) },
      ],
    },
  ];
  return choices.filter(({ options }) => options.length > 0);
}
