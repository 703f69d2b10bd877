import type { ActiveUser } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { useMemo } from 'react';
import { useList } from '../../lib/use-list.ts';
import { useGroups, useRoles } from '../../domain/role/use-roles.ts';

const presences = ['online', 'idle', 'away'] as const;
/** Somebody becomes idle, and a server that died takes its people along, without a word. */
const refetchMs = 5_000;

export type ActiveRow = ActiveUser & { readonly id: UserId };

/** Members with what they do now, filtered by what stands in the address, and true within two seconds. */
export function useActiveUsers() {
  const { roles, isLoaded: hasRoles } = useRoles();
  const { groups, isLoaded: hasGroups } = useGroups();
  const list = useList('GET /api/monitoring/active-users', {
    filters: {
      text: 'text',
      presence: presences,
      role: hasRoles ? roles.map(({ id }) => id) : 'text',
      groupId: hasGroups ? groups.map(({ id }) => id) : 'text',
    },
    refetchMs,
  });
  const { items } = list;
  // Who comes or goes while pages are read may stand in two of them.
  const rows = useMemo(() => {
    const byId = new Map(items?.map((person) => [person.userId, { ...person, id: person.userId }]));
    return items && [...byId.values()];
  }, [items]);
  return { ...list, items: rows };
}
