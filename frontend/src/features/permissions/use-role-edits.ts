import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Role } from '@parley/contracts';
import type { Permission } from '@parley/contracts/permissions';
import { useCallback, useEffect, useState } from 'react';
import { api, isProblem } from '../../lib/http.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { rolesQuery } from './queries.ts';
import {
  caughtUp,
  changedMeanwhile,
  changesOf,
  effectOf,
  rightsAfter,
  toggled,
  without,
  type Meanwhile,
  type RoleChange,
  type RoleEdits,
} from './role-edits.ts';

type Refused = { readonly role: Role; readonly error: Error };

/**
 * The cells that are changed and not saved. They stay when others change the same roles meanwhile: each role is saved
 * with the version that is shown, and what came between is told by `meanwhile`.
 */
export function useRoleEdits(roles: readonly Role[], onSaved: (cells: number) => void) {
  const [edits, setEdits] = useState<RoleEdits>({});
  const refresh = useRefreshRoles();
  const saveRole = useSaveRole();
  const saving = useMutation({
    mutationFn: async (changes: readonly RoleChange[]) => {
      const refused: Refused[] = [];
      const saved: RoleChange[] = [];
      for (const change of changes) {
        try {
          await saveRole(change.role, { permissions: rightsAfter(change) });
          setEdits((before) => without(before, change.role.id));
          saved.push(change);
        } catch (error) {
          if (!isProblem(error, 'platform.conflict') && !isProblem(error, 'org.role-not-found'))
            refused.push({ role: change.role, error: error as Error });
        }
      }
      await refresh();
      return { refused, cells: effectOf(saved).cells };
    },
    onSuccess: ({ cells }) => cells > 0 && onSaved(cells),
  });
  const { isPending, reset } = saving;
  const toggle = useCallback(
    (role: Role, permission: Permission) => {
      if (isPending) return;
      reset();
      setEdits((before) => toggled(before, role, permission));
    },
    [isPending, reset],
  );
  const changes = changesOf(edits, roles);
  useLeaveWarning(changes.length > 0);
  return {
    changes,
    meanwhile: saving.isPending ? [] : changedMeanwhile(edits, roles),
    /** What the last saving could not save, but for what somebody else has changed. */
    refused: saving.data?.refused ?? [],
    isSaving: saving.isPending,
    edits,
    toggle,
    catchUp: (one: Meanwhile) => setEdits((before) => caughtUp(before, one)),
    discard: () => {
      if (isPending) return;
      reset();
      setEdits({});
    },
    save: () => saving.mutate(changes),
  };
}
export type RoleEditing = ReturnType<typeof useRoleEdits>;

/** After a change of one's own: does not wait for the news of it. */
export function useRefreshRoles(): () => Promise<unknown> {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  return () => client.invalidateQueries({ queryKey: resourceKey('roles', orgId) });
}

/** Saves over the version that is shown; what stands there instead, after a conflict, is shown from then on. */
export function useSaveRole() {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const show = (saved: Role) =>
    client.setQueryData(rolesQuery(orgId).queryKey, (before) =>
      before ? { items: before.items.map((role) => (role.id === saved.id ? saved : role)) } : before,
    );
  return async ({ id, version }: Role, change: { name?: string; permissions?: Permission[] }): Promise<Role> => {
    try {
      const saved = await api('PATCH /api/org/roles/:roleId', {
        orgId,
        params: { roleId: id as never },
        body: { version, ...change },
      });
      show(saved);
      return saved;
    } catch (error) {
      if (isProblem(error, 'platform.conflict') && error.problem.current) show(error.problem.current as Role);
      throw error;
    }
  };
}

/** The browser asks before a tab with unsaved cells is closed or reloaded. */
function useLeaveWarning(isUnsafe: boolean): void {
  useEffect(() => {
    if (!isUnsafe) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsafe]);
}
