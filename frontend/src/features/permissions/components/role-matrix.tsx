import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { memo, useEffect, useRef, useState } from 'react';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useText } from '../../../lib/text.ts';
import { useTooltip } from '../../../ui/tooltip.tsx';
import { useCatalogue, type ShownPermission } from '../../../domain/permission/permission-catalogue.ts';
import type { RoleEdits } from '../role-edits.ts';
import { isBuiltIn } from '../use-hindrance.ts';
import { Cell, useCellName } from './cell.tsx';
import classes from './role-matrix.module.css';

type Place = { readonly row: number; readonly column: number };
export type MatrixProps = {
  roles: readonly Role[];
  edits: RoleEdits;
  /** The cell that is explained. */
  selected: { readonly roleId: string; readonly permission: Permission } | null;
  onCell: (role: Role, permission: Permission) => void;
  onRole: (role: Role) => void;
};

/** Rights by area, roles beside each other. Tab reaches one cell, arrows go on from it; the first row are the roles. */
export function RoleMatrix({ roles, edits, selected, onCell, onRole }: MatrixProps) {
  const { t } = useText();
  const { areas } = useCatalogue();
  const rowOf = new Map(areas.flatMap((area) => area.permissions).map((permission, index) => [permission, index + 1]));
  const { table, at } = useArrows();
  useEffect(() => {
    if (selected)
      table.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected, table]);
  return (
    <table ref={table} className={`p-sm ${classes.matrix} p-data`}>
      <caption className="p-hidden">
        {t({ id: 'permissions.matrix.caption', defaultMessage: 'What each role allows' })}
      </caption>
      <thead>
        <tr>
          <th scope="col" className={classes.corner}>
            <span className="p-hidden">{t({ id: 'permissions.matrix.right', defaultMessage: 'Right' })}</span>
          </th>
          {roles.map((role, column) => (
            <th key={role.id} scope="col" data-own={!isBuiltIn(role) || undefined}>
              <RoleHead role={role} column={column} isReached={at.row === 0 && at.column === column} onRole={onRole} />
            </th>
          ))}
        </tr>
      </thead>
      {areas.map((area) => (
        <tbody key={area.key}>
          <tr className={classes.area}>
            <th scope="rowgroup" colSpan={roles.length + 1}>
              <span>{area.label}</span>
            </th>
          </tr>
          {area.permissions.map((permission) => {
            const row = rowOf.get(permission) ?? 0;
            return (
              <Row
                key={permission}
                permission={permission}
                row={row}
                roles={roles}
                edits={edits}
                onCell={onCell}
                column={at.row === row ? at.column : null}
                selectedRole={selected?.permission === permission ? selected.roleId : null}
              />
            );
          })}
        </tbody>
      ))}
    </table>
  );
}

function RoleHead({
  role,
  column,
  isReached,
  onRole,
}: {
  role: Role;
  column: number;
  isReached: boolean;
  onRole: MatrixProps['onRole'];
}) {
  const nameOf = useRoleName();
  return (
    <button
      type="button"
      className={classes.role}
      data-row={0}
      data-column={column}
      tabIndex={isReached ? 0 : -1}
      onClick={() => onRole(role)}
    >
      <bdi>{nameOf(role)}</bdi>
    </button>
  );
}

type RowProps = Pick<MatrixProps, 'roles' | 'edits' | 'onCell'> & {
  permission: ShownPermission;
  row: number;
  /** That of the cell which Tab reaches, if it is in this row. */
  column: number | null;
  selectedRole: string | null;
};

/** Only the rows whose own cells have changed are drawn again: with fifty roles there are well over a thousand cells. */
const isSameRow = (before: RowProps, now: RowProps): boolean =>
  (['permission', 'row', 'roles', 'onCell', 'column', 'selectedRole'] as const).every(
    (name) => before[name] === now[name],
  ) && now.roles.every(({ id }) => before.edits[id]?.wants[now.permission] === now.edits[id]?.wants[now.permission]);

const Row = memo(function Row({ permission, row, roles, edits, onCell, column, selectedRole }: RowProps) {
  const { nameOf } = useCatalogue();
  const cellName = useCellName();
  const { handlers, tooltip } = useTooltip(<span className="p-mono">{permission}</span>);
  return (
    <tr>
      <th scope="row" {...handlers}>
        {nameOf(permission)}
        {tooltip}
      </th>
      {roles.map((role, index) => (
        <td key={role.id}>
          <Cell
            role={role}
            permission={permission}
            edits={edits}
            nameOf={cellName}
            isSelected={selectedRole === role.id}
            onPress={onCell}
            data-row={row}
            data-column={index}
            tabIndex={index === column ? 0 : -1}
          />
        </td>
      ))}
    </tr>
  );
}, isSameRow);

const steps: Record<string, Place> = {
  ArrowUp: { row: -1, column: 0 },
  ArrowDown: { row: 1, column: 0 },
  ArrowLeft: { row: 0, column: -1 },
  ArrowRight: { row: 0, column: 1 },
  Home: { row: 0, column: -Infinity },
  End: { row: 0, column: Infinity },
};

const placeOf = (element: Element): Place | null => {
  const cell = element.closest<HTMLElement>('[data-row]');
  return cell && { row: Number(cell.dataset['row']), column: Number(cell.dataset['column']) };
};

/** Where the keyboard is. Left and right are those of the screen, whatever the direction of the language. */
function useArrows() {
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<Place>({ row: 1, column: 0 });
  useEffect(() => {
    const element = table.current;
    const go = (event: KeyboardEvent) => {
      const step = steps[event.key];
      const from = placeOf(event.target as Element);
      if (!element || !step || !from || event.ctrlKey || event.metaKey || event.altKey) return;
      const isMirrored = getComputedStyle(element).direction === 'rtl' && event.key.startsWith('Arrow');
      const cells = element.querySelectorAll<HTMLElement>(`[data-row="${from.row + step.row}"]`);
      const column = from.column + (isMirrored ? -step.column : step.column);
      event.preventDefault();
      cells[Math.max(0, Math.min(column, cells.length - 1))]?.focus();
    };
    const enter = (event: FocusEvent) => {
      const place = placeOf(event.target as Element);
      if (place) setAt(place);
    };
    element?.addEventListener('keydown', go);
    element?.addEventListener('focusin', enter);
    return () => {
      element?.removeEventListener('keydown', go);
      element?.removeEventListener('focusin', enter);
    };
  }, []);
  return { table, at };
}
