import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useText } from '../../../lib/text.ts';
import { useCatalogue } from '../../../domain/permission/permission-catalogue.ts';
import { isUnsaved, isWanted, type RoleEdits } from '../role-edits.ts';
import { Mark, markOf, useMarkNames } from './mark.tsx';
import classes from './cell.module.css';

type Props = {
  role: Role;
  permission: Permission;
  edits: RoleEdits;
  /** What `useCellName` gives. */
  nameOf: (role: Role, permission: Permission, edits: RoleEdits) => string;
  isSelected: boolean;
  onPress: (role: Role, permission: Permission) => void;
  tabIndex?: number;
  'data-row'?: number;
  'data-column'?: number;
};

/** What one role says to one right, and the button that explains or changes it. */
export function Cell({ role, permission, edits, nameOf, isSelected, onPress, ...rest }: Props) {
  return (
    <button
      type="button"
      className={classes.cell}
      data-unsaved={isUnsaved(edits, role, permission) || undefined}
      data-selected={isSelected || undefined}
      aria-label={nameOf(role, permission, edits)}
      onClick={() => onPress(role, permission)}
      {...rest}
    >
      <Mark kind={markOf(permission, isWanted(edits, role, permission))} />
    </button>
  );
}

/** “Bot builder, Start a chat: allowed”. */
export function useCellName(): Props['nameOf'] {
  const { t } = useText();
  const roleName = useRoleName();
  const { nameOf } = useCatalogue();
  const marks = useMarkNames();
  return (role, permission, edits) => {
    const state = marks[markOf(permission, isWanted(edits, role, permission))];
    const values = { role: roleName(role), permission: nameOf(permission), state };
    return isUnsaved(edits, role, permission)
      ? t({ id: 'permissions.cell.unsaved', defaultMessage: '{role}, {permission}: {state}, not saved' }, values)
      : t({ id: 'permissions.cell.name', defaultMessage: '{role}, {permission}: {state}' }, values);
  };
}
