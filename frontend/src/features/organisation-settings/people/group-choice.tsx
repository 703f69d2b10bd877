import { Input } from '@mantine/core';
import type { GroupId } from '@parley/contracts';
import { ChevronDown } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { Menu } from '../../../ui/menu.tsx';
import { useGroups } from '../../../domain/role/use-roles.ts';
import classes from '../parts/dialogs.module.css';

/** So many groups a person may be in. */
const most = 20;

type Props = {
  value: readonly GroupId[];
  onChange: (groupIds: GroupId[]) => void;
  error?: ReactNode;
  isFirst?: boolean;
  isReadOnly?: boolean;
};

/** Any of the organisation's groups; not there where there are none, or for readers who may not see them. */
export function GroupChoice({ value, onChange, error, isFirst = false, isReadOnly = false }: Props) {
  const { t, intl } = useText();
  const { groups, namesOf } = useGroups();
  const id = useId();
  if (groups.length === 0) return null;
  const names = namesOf(value);
  const label = t({ id: 'organisation.groups.label', defaultMessage: 'Groups' });
  const text =
    names.length > 0
      ? intl.formatList(names, { type: 'unit', style: 'short' })
      : t({ id: 'organisation.groups.none', defaultMessage: 'No group' });
  const toggle = (one: GroupId, isIn: boolean) =>
    onChange(isIn ? [...value, one] : value.filter((other) => other !== one));
  return (
    <Input.Wrapper label={label} error={error} labelProps={{ htmlFor: id }}>
      <Menu position="bottom-start" width="target" closeOnItemClick={false} zIndex={300}>
        <Menu.Target>
          <Input
            component="button"
            type="button"
            name="groupIds"
            id={id}
            pointer
            disabled={isReadOnly}
            aria-label={`${label}: ${text}`}
            rightSection={<ChevronDown />}
            {...(isFirst && { 'data-autofocus': true })}
          >
            <bdi className={`p-one-line ${classes.chosen}`}>{text}</bdi>
          </Input>
        </Menu.Target>
        <Menu.Dropdown className={classes.options}>
          {groups.map((group) => (
            <Menu.CheckboxItem
              key={group.id}
              checked={value.includes(group.id)}
              disabled={!value.includes(group.id) && value.length >= most}
              onChange={(isIn) => toggle(group.id, isIn)}
            >
              <bdi>{group.name}</bdi>
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </Input.Wrapper>
  );
}
