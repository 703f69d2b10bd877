import type { Role } from '@parley/contracts';
import { useCallback } from 'react';
import { useText } from '../../lib/text.ts';

/** What a role is called: the built-in ones in the reader's language, the organisation's own as it calls them. */
export function useRoleName(): (role: Pick<Role, 'id' | 'name'>) => string {
  const { t } = useText();
  return useCallback(
    ({ id, name }) => {
      const names: Readonly<Record<string, string>> = {
        owner: t({ id: 'role.owner', defaultMessage: 'Owner' }),
        admin: t({ id: 'role.admin', defaultMessage: 'Admin' }),
        billing: t({ id: 'role.billing', defaultMessage: 'Billing' }),
        analyst: t({ id: 'role.analyst', defaultMessage: 'Analyst' }),
        member: t({ id: 'role.member', defaultMessage: 'Member' }),
        guest: t({ id: 'role.guest', defaultMessage: 'Guest' }),
      };
      return name ?? names[id] ?? id;
    },
    [t],
  );
}
