import { NativeSelect } from '@mantine/core';
import type { RoleKey } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';

type Props = {
  value: RoleKey;
  onChange: (role: RoleKey) => void;
  error?: ReactNode;
  isFirst?: boolean;
  isReadOnly?: boolean;
};

/** Roles that give no more than one has oneself; the one that is set stays visible in any case. */
export function RoleChoice({ value, onChange, error, isFirst = false, isReadOnly = false }: Props) {
  const { t } = useText();
  const { mine, nameOf } = useRoles();
  const ids = mine.map(({ id }) => id);
  const offered = ids.includes(value) ? ids : [value, ...ids];
  return (
    <NativeSelect
      name="role"
      label={t({ id: 'organisation.people.role', defaultMessage: 'Role' })}
      description={t({ id: 'organisation.role.limit', defaultMessage: 'You can only grant permissions you have.' })}
      value={value}
      error={error}
      disabled={isReadOnly}
      {...(isFirst && { 'data-autofocus': true })}
      data={offered.map((id) => ({ value: id, label: nameOf(id) }))}
      onChange={(event) => onChange(event.currentTarget.value as RoleKey)}
    />
  );
}
