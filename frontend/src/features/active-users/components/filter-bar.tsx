import { useText } from '../../../lib/text.ts';
import { useGroups, useRoles } from '../../../domain/role/use-roles.ts';
import { ChoiceFilters, type FilterChoice } from '../../../ui/choice-filters.tsx';
import table from '../../../ui/table.module.css';
import { TextFilter } from '../../../ui/text-filter.tsx';
import { usePresenceNames } from '../use-presence-names.ts';
import classes from './active-users.module.css';

type Name = 'presence' | 'role' | 'groupId';
type Filter = Readonly<Record<Name | 'text', string | null>>;
type Props = { filter: Filter; onChange: (part: Record<string, never>) => void };

/** Search, presence, and one of role and group. */
export function FilterBar({ filter, onChange }: Props) {
  const { t } = useText();
  const change = (part: Partial<Filter>) => onChange(part as Record<string, never>);
  return (
    <div className={`${table.bar} ${classes.bar}`}>
      <TextFilter
        label={t({ id: 'active.filter.text', defaultMessage: 'Name or email' })}
        text={filter.text}
        onChange={(text) => change({ text })}
      />
      <ChoiceFilters
        choices={useChoices()}
        values={filter}
        // The server takes one of role and group.
        onChange={(part) =>
          change({ ...(part.role && { groupId: null }), ...(part.groupId && { role: null }), ...part })
        }
      />
    </div>
  );
}

function useChoices(): FilterChoice<Name>[] {
  const { t } = useText();
  const presences = usePresenceNames();
  const { roles, nameOf } = useRoles();
  const { groups } = useGroups();
  const choices: FilterChoice<Name>[] = [
    {
      name: 'presence',
      label: t({ id: 'active.column.presence', defaultMessage: 'Presence' }),
      options: (['online', 'idle', 'away'] as const).map((value) => ({ value, label: presences[value] })),
    },
    {
      name: 'role',
      label: t({ id: 'active.column.role', defaultMessage: 'Role' }),
      options: roles.map(({ id }) => ({ value: id, label: nameOf(id) })),
    },
    {
      name: 'groupId',
      label: t({ id: 'active.column.groups', defaultMessage: 'Group' }),
      options: groups.map(({ id, name }) => ({ value: id, label: name })),
    },
  ];
  return choices.filter(({ options }) => options.length > 0);
}
