import { Button } from '@mantine/core';
import { ListFilter, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { useShellParts } from '../../../ui/shell-parts.tsx';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { useGroups, useRoles, type useSeats } from '../use-roles.ts';
import classes from './people.module.css';

type Filter = {
  readonly text: string | null;
  readonly role: string | null;
  readonly groupId: string | null;
  readonly status: string | null;
};
type Choice = {
  readonly name: 'role' | 'groupId' | 'status';
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};
type Props = { filter: Filter; onChange: (part: Partial<Filter>) => void; seats: ReturnType<typeof useSeats> };

/** The server takes one of them at a time: choosing another replaces it. */
const noChoice = { role: null, groupId: null, status: null };

/** Search, one of role, group and state, and the seats; on a small screen the choices stand behind one button. */
export function PeopleFilterBar({ filter, onChange, seats }: Props) {
  const shell = useShellParts();
  const { t } = useText();
  const isSmall = useMediaQuery('(max-width: 699px)');
  const choices = useChoices();
  const change = (name: Choice['name'], value: string | null) => onChange({ ...noChoice, [name]: value });
  const part = (choice: Choice) => (
    <shell.Menu.RadioGroup value={filter[choice.name]} onChange={(value) => change(choice.name, value)}>
      {choice.options.map(({ value, label }) => (
        <shell.Menu.RadioItem key={value} value={value} closeMenuOnClick>
          <bdi>{label}</bdi>
        </shell.Menu.RadioItem>
      ))}
    </shell.Menu.RadioGroup>
  );
  return (
    <div className={`${table.bar} ${classes.bar}`}>
      <TextFilter
        label={t({ id: 'organisation.members.search', defaultMessage: 'Name or e-mail' })}
        text={filter.text}
        onChange={(text) => onChange({ text })}
      />
      {isSmall ? (
        <AllFilters choices={choices} filter={filter} onClear={() => onChange(noChoice)} part={part} />
      ) : (
        choices.map((choice) => (
          <FilterChip key={choice.name} choice={choice} value={filter[choice.name]} onClear={() => onChange(noChoice)}>
            {part(choice)}
          </FilterChip>
        ))
      )}
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
              '{used, plural, one {# member} other {# members}}{held, plural, =0 {} other {, # invited by mail}}',
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

function FilterChip({
  choice,
  value,
  onClear,
  children,
}: {
  choice: Choice;
  value: string | null;
  onClear: () => void;
  children: ReactNode;
}) {
  const shell = useShellParts();
  const { t } = useText();
  const set = choice.options.find((option) => option.value === value);
  if (set)
    return (
      <button
        type="button"
        className={table.chip}
        aria-pressed="true"
        aria-label={t(
          { id: 'organisation.filter.remove', defaultMessage: '{name}: {value}, remove this filter' },
          { name: choice.label, value: set.label },
        )}
        onClick={onClear}
      >
        <bdi>{set.label}</bdi>
        <X size={14} strokeWidth={1.75} aria-hidden="true" />
      </button>
    );
  return (
    <shell.Menu position="bottom-start" width={220}>
      <shell.Menu.Target>
        <button type="button" className={table.chip}>
          {choice.label}
        </button>
      </shell.Menu.Target>
      <shell.Menu.Dropdown className={classes.options}>{children}</shell.Menu.Dropdown>
    </shell.Menu>
  );
}

type AllProps = {
  choices: readonly Choice[];
  filter: Filter;
  onClear: () => void;
  part: (choice: Choice) => ReactNode;
};

function AllFilters({ choices, filter, onClear, part }: AllProps) {
  const shell = useShellParts();
  const { t } = useText();
  const isSet = choices.some(({ name }) => filter[name] !== null);
  return (
    <shell.Menu position="bottom-end" width={260}>
      <shell.Menu.Target>
        <Button
          variant="default"
          aria-label={t(
            { id: 'organisation.filter.all', defaultMessage: 'Filters{count, plural, =0 {} other {, # set}}' },
            { count: isSet ? 1 : 0 },
          )}
          leftSection={<ListFilter size={16} strokeWidth={1.75} />}
        >
          {t({ id: 'organisation.filter.title', defaultMessage: 'Filters' })}
          {isSet ? <span className={classes.filterCount}>1</span> : null}
        </Button>
      </shell.Menu.Target>
      <shell.Menu.Dropdown className={classes.options}>
        {isSet ? (
          <shell.Menu.Item onClick={onClear}>
            {t({ id: 'organisation.filter.clear', defaultMessage: 'Remove the filter' })}
          </shell.Menu.Item>
        ) : null}
        {choices.map((choice) => (
          <fieldset key={choice.name} className={classes.choice} aria-label={choice.label}>
            <shell.Menu.Label>{choice.label}</shell.Menu.Label>
            {part(choice)}
          </fieldset>
        ))}
      </shell.Menu.Dropdown>
    </shell.Menu>
  );
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
