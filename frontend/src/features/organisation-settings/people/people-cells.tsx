import type { GroupId, RoleKey } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import type { StatusKind } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import { RoleCells } from '../../../domain/role/role-cells.tsx';
import classes from './people.module.css';
import { Status } from '../../../ui/list-table.tsx';

type Props = {
  mark: ReactNode;
  name: ReactNode;
  second: ReactNode;
  role: RoleKey;
  groupIds: readonly GroupId[];
  state: { readonly kind: StatusKind; readonly text: string; readonly second?: string | null };
  since: string;
  actions: ReactNode;
};

/** The cells that a member and an invitation have in common; on a small screen they fold into three lines. */
export function PeopleCells({ mark, name, second, role, groupIds, state, since, actions }: Props) {
  const { date, exact } = useFormats();
  return (
    <>
      <td className={classes.person}>
        <span className={table.named}>
          {mark}
          <span>
            {name}
            <span className={table.second}>{second}</span>
          </span>
        </span>
      </td>
      <RoleCells role={role} groupIds={groupIds} classes={{ role: classes.role, groups: classes.groups }} />
      <td className={classes.state}>
        <Status kind={state.kind}>{state.text}</Status>
        {state.second ? <bdi className={table.second}>{state.second}</bdi> : null}
      </td>
      <td className={`${table.quiet} ${classes.since}`} title={exact(since)}>
        {date(since)}
      </td>
      <td className={table.actions}>{actions}</td>
    </>
  );
}
