import type { GroupId, Group, Permission, Role, RoleKey } from '@parley/contracts';
import { isWithin, orgRoles, permissionsOf } from '@parley/contracts/permissions';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useRoleName } from './role-names.ts';
import { useRight, useTab } from '../../lib/tab-organisation.tsx';

type NamedRole = Pick<Role, 'id' | 'name' | 'permissions'>;
const builtIn: readonly NamedRole[] = orgRoles.map((id) => ({ id, name: null, permissions: permissionsOf(id) }));
const noGroups: readonly Group[] = [];

/** The organisation's roles; those that are built in until more is known, and for readers without `role:read`. */
export function useRoles() {
  const { organisation } = useTab();
  const { data } = useQuery({
    queryKey: resourceKey('roles', organisation.id),
    queryFn: ({ signal }) => api('GET /api/org/roles', { orgId: organisation.id, signal }),
    enabled: useRight('role:read'),
  });
  const nameOfRole = useRoleName();
  return useMemo(() => {
    const roles = data?.items ?? builtIn;
    const find = (id: RoleKey) => roles.find((role) => role.id === id);
    const isMine = (permissions: readonly Permission[]) => isWithin(permissions, organisation.permissions);
    return {
      roles,
      /** Nobody gives more than they have. */
      mine: roles.filter(({ permissions }) => isMine(permissions)),
      nameOf: (id: RoleKey) => nameOfRole(find(id) ?? { id, name: null }),
      /** What cannot be told is left to the server. */
      isBeyond: (id: RoleKey) => !isMine(find(id)?.permissions ?? []),
      isLoaded: data !== undefined,
    };
  }, [data, nameOfRole, organisation.permissions]);
}

/** The organisation's groups by name; none for readers without `group:read`. */
export function useGroups() {
  const { organisation } = useTab();
  const mayRead = useRight('group:read');
  const { data } = useQuery({
    queryKey: resourceKey('groups', organisation.id),
    queryFn: ({ signal }) => api('GET /api/org/groups', { orgId: organisation.id, signal }),
    enabled: mayRead,
  });
  const groups = data?.items ?? noGroups;
  return useMemo(
    () => ({
      groups,
      mayRead,
      isLoaded: data !== undefined,
      namesOf: (ids: readonly GroupId[]) => groups.filter(({ id }) => ids.includes(id)).map(({ name }) => name),
    }),
    [groups, mayRead, data],
  );
}

/** How many seats are used, held and allowed; undefined until it is known. */
export function useSeats() {
  const { organisation } = useTab();
  return useQuery({
    queryKey: resourceKey('seats', organisation.id),
    queryFn: ({ signal }) => api('GET /api/org/seats', { orgId: organisation.id, signal }),
  }).data;
}
