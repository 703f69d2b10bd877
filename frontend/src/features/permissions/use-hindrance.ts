import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useCallback } from 'react';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';
import { useText } from '../../lib/text.ts';

/** A role that the product brings along: the same everywhere, and nobody changes it. */
export const isBuiltIn = ({ name }: Pick<Role, 'name'>): boolean => name === null;

/** Why this reader cannot give the right to the role or take it from it, in words; null where they can. */
export function useHindrance(): (role: Role, permission: Permission) => string | null {
  const { t } = useText();
  const { organisation } = useTab();
  const mayUpdate = useRight('role:update');
  return useCallback(
    (role, permission) => {
      if (isBuiltIn(role))
        return t({
          id: 'permissions.hindrance.builtIn',
          defaultMessage:
            'Built-in roles are the same everywhere and stay as they are. Add a role that starts from it.',
        });
      if (!mayUpdate)
        return t({
          id: 'permissions.hindrance.readOnly',
          defaultMessage: 'Your role does not include changing roles. An owner or admin can do it.',
        });
      if (!organisation.permissions.includes(permission))
        return t({
          id: 'permissions.hindrance.beyond',
          defaultMessage: 'You do not have this right yourself, so you can neither give nor take it.',
        });
      if (permission === 'role:update' && role.id === organisation.role && role.permissions.includes(permission))
        return t({
          id: 'permissions.hindrance.lockOut',
          defaultMessage: 'You have this role: without this right you could not change roles any more.',
        });
      return null;
    },
    [mayUpdate, organisation, t],
  );
}
