import type { GroupId, RoleKey } from '@parley/contracts';
import { useText } from '../../lib/text.ts';
import table from '../../ui/table.module.css';
import { useGroups, useRoles } from './use-roles.ts';

type Props = {
  role: RoleKey;
  groupIds: readonly GroupId[];
  /** Classes that fold the cells on a small screen. */
  classes: { readonly role: string | undefined; readonly groups: string | undefined };
};

/** Shows the role of a person and their groups: two cells. */
export function RoleCells({ role, groupIds, classes }: Props) {
  const { intl } = useText();
  const { nameOf } = useRoles();
  const groups = useGroups().namesOf(groupIds);
  return (
    <>
      <td className={`${table.quiet} ${classes.role}`}>
        <bdi>{nameOf(role)}</bdi>
      </td>
      <td className={`${table.quiet} ${classes.groups}`}>
        {groups.length > 0 ? <bdi>{intl.formatList(groups, { type: 'unit', style: 'short' })}</bdi> : null}
      </td>
    </>
  );
}
