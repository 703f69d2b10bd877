import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Group, Member } from '@parley/contracts';
import { api, isProblem } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';

/** After a change of one's own: does not wait for the news of it. */
export function useRefreshGroups(): () => Promise<unknown> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return () =>
    Promise.all(
      (['groups', 'members'] as const).map((resource) =>
        client.invalidateQueries({ queryKey: resourceKey(resource, orgId) }),
      ),
    );
}

export function useRenameGroup({ id: groupId, version }: Group) {
  const orgId = useTab().organisation.id;
  const refresh = useRefreshGroups();
  return useMutation({
    mutationFn: (name: string) =>
      api('PATCH /api/org/groups/:groupId', { orgId, params: { groupId }, body: { version, name } }),
    onSettled: refresh,
  });
}

export function useDeleteGroup({ id: groupId }: Group, onDeleted: () => void) {
  const orgId = useTab().organisation.id;
  const refresh = useRefreshGroups();
  return useMutation({
    mutationFn: () =>
      api('DELETE /api/org/groups/:groupId', { orgId, params: { groupId } }).catch((error: unknown) => {
        if (!isProblem(error, 'org.group-not-found')) throw error;
      }),
    onSuccess: async () => {
      onDeleted();
      await refresh();
    },
  });
}

/** Puts a person into the group or takes them out; what came between is not written over. */
export function useMoveMember({ id: groupId }: Group) {
  const orgId = useTab().organisation.id;
  const refresh = useRefreshGroups();
  return useMutation({
    mutationFn: ({ member, isIn }: { member: Member; isIn: boolean }) => {
      const { userId, version, groupIds } = member;
      const others = groupIds.filter((id) => id !== groupId);
      return api('PUT /api/org/members/:userId/groups', {
        orgId,
        params: { userId },
        body: { version, groupIds: isIn ? [...others, groupId] : others },
      });
    },
    onSettled: refresh,
  });
}
