import { NativeSelect } from '@mantine/core';
import type { Role } from '@parley/contracts';
import { useState } from 'react';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useText } from '../../../lib/text.ts';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { Cell, useCellName } from './cell.tsx';
import type { MatrixProps } from './role-matrix.tsx';
import classes from './role-list.module.css';

type Props = MatrixProps & { onWhy: MatrixProps['onCell'] };

/** On a small screen one role at a time; the name of a right explains it, its cell changes it. */
export function RoleList({ roles, edits, selected, onCell, onWhy, onRole }: Props) {
  const { t } = useText();
  const roleName = useRoleName();
  const cellName = useCellName();
  const { areas, nameOf } = useCatalogue();
  const [shownId, setShownId] = useState<string>(roles.at(-1)?.id ?? '');
  const role: Role | undefined = roles.find(({ id }) => id === shownId) ?? roles[0];
  if (!role) return null;
  return (
    <div className="p-data">
      <div className={classes.choice}>
        <NativeSelect
          label={t({ id: 'permissions.list.role', defaultMessage: 'Role' })}
          value={role.id}
          data={roles.map((one) => ({ value: one.id, label: roleName(one) }))}
          onChange={(event) => setShownId(event.currentTarget.value)}
        />
        <button type="button" className="p-link" onClick={() => onRole(role)}>
          {t({ id: 'permissions.list.about', defaultMessage: 'About this role' })}
        </button>
      </div>
      {areas.map((area) => (
        <section key={area.key} aria-label={area.label}>
          <h2 className={`p-meta ${classes.area}`}>{area.label}</h2>
          <ul className={classes.rights}>
            {area.permissions.map((permission) => (
              <li key={permission}>
                <button type="button" className={classes.name} onClick={() => onWhy(role, permission)}>
                  {nameOf(permission)}
                </button>
                <Cell
                  role={role}
                  permission={permission}
                  edits={edits}
                  nameOf={cellName}
                  isSelected={selected?.permission === permission}
                  onPress={onCell}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
