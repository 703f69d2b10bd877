import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { OrgId, UserId } from '@parley/protocol';
import type { Permission } from '@parley/contracts/permissions';
import { api, type Call } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { listQuery, pagingOf } from '../../lib/use-list.ts';

export const rolesQuery = (orgId: OrgId) =>
  queryOptions({
    queryKey: resourceKey('roles', orgId, 'matrix'),
    queryFn: ({ signal }) => api('GET /api/org/roles', { orgId, signal }),
  });

export const useRoles = () => useQuery(rolesQuery(useTab().organisation.id));

export function useGroups() {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('groups', orgId, 'list'),
    queryFn: ({ signal }) => api('GET /api/org/groups', { orgId, signal }),
  });
}

type MemberFilters = { readonly text: string } | { readonly role: string } | { readonly groupId: string };

/** Page after page; with an empty text nobody is asked for. */
export function useMembers(filters: MemberFilters) {
  const isAsked = !('text' in filters) || filters.text !== '';
  const query = useInfiniteQuery({
    ...listQuery('GET /api/org/members', useTab().organisation.id, { filters }),
    enabled: isAsked,
  });
  return { ...pagingOf(query), items: isAsked ? query.data?.pages.flatMap((page) => page.items) : undefined };
}

export type Thing = NonNullable<Call<'GET /api/org/members/:userId/access'>['query']>['thing'];
export type Asked = { readonly userId: UserId; readonly permission: Permission; readonly thing: Thing };

/** Asked again when roles change, and so when somebody gets another one; null is no question yet. */
export function useAccess(asked: Asked | null) {
  const orgId = useTab().organisation.id;
  return useQuery({
    queryKey: resourceKey('roles', orgId, 'access', asked),
    enabled: asked !== null,
    queryFn: ({ signal }) => {
      const { userId, ...query } = asked as Asked;
      return api('GET /api/org/members/:userId/access', { orgId, params: { userId }, query, signal });
    },
  });
}
