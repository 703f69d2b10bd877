import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { Role } from '@parley/contracts';
import { isWithin } from '@parley/contracts/permissions';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import form from '../../../ui/form.module.css';
import { useRefreshRoles } from '../use-role-edits.ts';

type Props = { role: Role; roles: readonly Role[]; onDeleted: () => void; onClose: () => void };

/** Cannot be undone: says how many people get which role instead. */
export function DeleteRoleDialog({ role, roles, onDeleted, onClose }: Props) {
  const { t } = useText();
  const roleName = useRoleName();
  const off = useActionOff();
  const offered = useReplacements(role, roles);
  const [chosenId, setChosenId] = useState<string>('member');
  const chosen = offered.find(({ id }) => id === chosenId) ?? offered[0];
  const remove = useDelete(role, onDeleted);
  return (
    <Dialog
      title={t({ id: 'permissions.delete.title', defaultMessage: 'Delete {name}?' }, { name: roleName(role) })}
      onClose={onClose}
    >
      <div className={form.form}>
        {chosen ? (
          <>
            <NativeSelect
              data-autofocus
              label={t({ id: 'permissions.delete.replacement', defaultMessage: 'Role that they get instead' })}
              value={chosen.id}
              data={offered.map((one) => ({ value: one.id, label: roleName(one) }))}
              onChange={(event) => setChosenId(event.currentTarget.value)}
            />
            <p className="p-sm p-quiet">
              {t(
                {
                  id: 'permissions.delete.text',
                  defaultMessage:
                    '{count, plural, =0 {Nobody has this role; people invited to it get “{role}”.} one {# person gets “{role}”, and so do people invited to this one.} other {# people get “{role}”, and so do people invited to this one.}} This cannot be undone.',
                },
                { count: role.memberCount, role: roleName(chosen) },
              )}
            </p>
          </>
        ) : (
          <Note kind="warning">
            {t({
              id: 'permissions.delete.noReplacement',
              defaultMessage:
                'You don’t have all permissions of any other role, so the people with this one can’t get another one instead.',
            })}
          </Note>
        )}
        <ErrorNote error={remove.error} />
        <div className={form.ends}>
          {chosen ? (
            <Button color="red" loading={remove.isPending} onClick={() => remove.mutate(chosen)} {...off}>
              {t({ id: 'permissions.delete.open', defaultMessage: 'Delete role' })}
            </Button>
          ) : null}
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'permissions.dialog.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Only roles whose rights one has oneself; nobody becomes an owner like this. */
function useReplacements(role: Role, roles: readonly Role[]): Role[] {
  const { organisation } = useTab();
  return roles.filter(
    ({ id, permissions }) => id !== role.id && id !== 'owner' && isWithin(permissions, organisation.permissions),
  );
}

function useDelete(role: Role, onDeleted: () => void) {
  const orgId = useTab().organisation.id;
  const refresh = useRefreshRoles();
  return useMutation({
    mutationFn: async ({ id: replacement }: Role) => {
      try {
        await api('DELETE /api/org/roles/:roleId', {
          orgId,
          params: { roleId: role.id as never },
          query: { replacement },
        });
      } catch (error) {
        if (!isProblem(error, 'org.role-not-found')) throw error;
      }
    },
    onSuccess: async () => {
      onDeleted();
      await refresh();
    },
  });
}
