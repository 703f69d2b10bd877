import type { GroupId, RoleKey } from '@parley/contracts';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { StatusShape, type StatusKind } from '../../../ui/status-shape.tsx';
import table from '../../../ui/table.module.css';
import { useGroups, useRoles } from '../../../domain/role/use-roles.ts';
import classes from './people.module.css';

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
  const { intl } = useText();
  const { date, exact } = useFormats();
  const { nameOf } = useRoles();
  const { namesOf } = useGroups();
  const groups = namesOf(groupIds);
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
      <td className={`${table.quiet} ${classes.role}`}>
        <bdi>{nameOf(role)}</bdi>
      </td>
      <td className={`${table.quiet} ${classes.groups}`}>
        {groups.length > 0 ? <bdi>{intl.formatList(groups, { type: 'unit', style: 'short' })}</bdi> : null}
      </td>
      <td className={classes.state}>
        <span className={table.state}>
          <StatusShape kind={state.kind} />
          {state.text}
        </span>
        {state.second ? <bdi className={table.second}>{state.second}</bdi> : null}
      </td>
      <td className={`${table.quiet} ${classes.since}`} title={exact(since)}>
        {date(since)}
      </td>
      <td className={table.actions}>{actions}</td>
    </>
  );
}
