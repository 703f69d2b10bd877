import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useCallback } from 'react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useMediaQuery } from '../../../lib/use-media-query.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useHindrance, isBuiltIn } from '../use-hindrance.ts';
import type { useRoles } from '../queries.ts';
import type { RoleEditing } from '../use-role-edits.ts';
import { Legend } from './mark.tsx';
import { RoleList } from './role-list.tsx';
import { RoleMatrix, type MatrixProps } from './role-matrix.tsx';
import { SaveBar } from './save-bar.tsx';
import { SkeletonMatrix } from './skeleton-matrix.tsx';
import classes from './roles-tab.module.css';

type Props = {
  query: ReturnType<typeof useRoles>;
  editing: RoleEditing;
  selected: MatrixProps['selected'];
  onWhy: (role: Role, permission: Permission) => void;
  onRole: (role: Role) => void;
  onSeeWho: () => void;
};

/** The matrix in its states, what its shapes say, and the bar that saves. */
export function RolesTab({ query, editing, selected, onWhy, onRole, onSeeWho }: Props) {
  const { t } = useText();
  const isSmall = useMediaQuery('(max-width: 699px)');
  const hasRoom = useMediaQuery('(min-width: 1100px)');
  const hindrance = useHindrance();
  const isOff = useActionOff() !== null;
  const { toggle } = editing;
  // A panel over the matrix would hide what one is changing: there it opens for what cannot be changed.
  const onCell = useCallback(
    (role: Role, permission: Permission) => {
      const mayToggle = !isOff && hindrance(role, permission) === null;
      if (mayToggle) toggle(role, permission);
      if (!mayToggle || hasRoom) onWhy(role, permission);
    },
    [hindrance, isOff, toggle, hasRoom, onWhy],
  );
  if (query.error && !query.data)
    return (
      <FailureView
        title={t({ id: 'permissions.page.failed', defaultMessage: 'The roles could not be loaded' })}
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    );
  if (!query.data)
    return <SkeletonMatrix label={t({ id: 'permissions.page.loading', defaultMessage: 'The roles are loading' })} />;
  const roles = query.data.items;
  const shown = { roles, edits: editing.edits, selected, onCell, onRole };
  return (
    <>
      <div className={classes.scroll}>
        {isSmall ? <RoleList {...shown} onWhy={onWhy} /> : <RoleMatrix {...shown} />}
        <Legend />
        <Hint hasOwn={roles.some((role) => !isBuiltIn(role))} />
      </div>
      <SaveBar editing={editing} onSeeWho={onSeeWho} />
    </>
  );
}

/** While there are built-in roles only, how to come to one that can be changed. */
function Hint({ hasOwn }: { hasOwn: boolean }) {
  const { t } = useText();
  const mayCreate = useRight('role:create');
  if (hasOwn) return null;
  return (
    <p className={`p-sm p-quiet ${classes.hint}`}>
      {mayCreate
        ? t({
            id: 'permissions.hint.add',
            defaultMessage:
              'These six roles are built in and stay as they are. Add a role of your own for what they do not fit; its cells can be changed.',
          })
        : t({
            id: 'permissions.hint.readOnly',
            defaultMessage: 'These six roles are built in. An owner or admin can add others.',
          })}
    </p>
  );
}
