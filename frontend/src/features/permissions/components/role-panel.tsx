import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { isWithin } from '@parley/contracts/permissions';
import type { Role } from '@parley/contracts';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { ErrorNote } from '../../../ui/error-note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { offBecause, useActionOff } from '../../../ui/stale.tsx';
import { isBuiltIn } from '../use-hindrance.ts';
import { useRefreshRoles, useSaveRole } from '../use-role-edits.ts';
import { PeopleOf } from './people-of.tsx';
import { RenameField } from './rename-field.tsx';
import panel from './panel.module.css';

const DeleteRoleDialog = lazyPart(async () => (await import('./delete-role-dialog.tsx')).DeleteRoleDialog);

type Props = { role: Role; roles: readonly Role[]; onCopy: (role: Role) => void; onClose: () => void };

/** One role: what it is called, who has it, and what can be done with it as a whole. */
export function RolePanel({ role, roles, onCopy, onClose }: Props) {
  const { t } = useText();
  const mayCreate = useRight('role:create');
  const maySeePeople = useRight('member:read');
  const off = useActionOff();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <SidePanel title={t({ id: 'permissions.role.title', defaultMessage: 'Role' })} onClose={onClose}>
      <div className={panel.about}>
        <RoleTitle role={role} />
        <span className="p-sm p-quiet">
          {isBuiltIn(role)
            ? t({ id: 'permissions.rule.builtIn', defaultMessage: 'Built in, the same in every organisation' })
            : t({ id: 'permissions.rule.ownRole', defaultMessage: 'A role of this organisation' })}
        </span>
        <span className={`p-meta ${panel.chip}`}>
          {t(
            {
              id: 'permissions.role.people',
              defaultMessage: '{count, plural, =0 {Nobody has it} one {# person has it} other {# people have it}}',
            },
            { count: role.memberCount },
          )}
        </span>
      </div>
      <div className={panel.buttons}>
        {mayCreate ? (
          <Button variant="default" onClick={() => onCopy(role)} {...off}>
            {t({ id: 'permissions.role.copy', defaultMessage: 'Add a role like this' })}
          </Button>
        ) : null}
        <DeleteButton role={role} onDelete={() => setDeleting(true)} />
      </div>
      {maySeePeople ? (
        <section className={panel.part}>
          <h3>{t({ id: 'permissions.role.who', defaultMessage: 'People with this role' })}</h3>
          <PeopleOf
            key={role.id}
            of={{ role: role.id }}
            none={t({ id: 'permissions.people.none', defaultMessage: 'Nobody has this role.' })}
          />
        </section>
      ) : null}
      {isDeleting ? (
        <DeleteRoleDialog role={role} roles={roles} onDeleted={onClose} onClose={() => setDeleting(false)} />
      ) : null}
    </SidePanel>
  );
}

/** Renamed in place. */
function RoleTitle({ role }: { role: Role }) {
  const { t } = useText();
  const roleName = useRoleName();
  const off = useActionOff();
  const saveRole = useSaveRole();
  const refresh = useRefreshRoles();
  const mayRename = useRight('role:update') && !isBuiltIn(role);
  const [isRenaming, setRenaming] = useState(false);
  const rename = useMutation({ mutationFn: (name: string) => saveRole(role, { name }), onSettled: refresh });
  const done = (name: string | null) => {
    setRenaming(false);
    if (name) rename.mutate(name);
  };
  return (
    <>
      <span className={panel.title}>
        {isRenaming ? (
          <RenameField
            label={t({ id: 'permissions.role.newName', defaultMessage: 'New name of the role' })}
            name={role.name ?? ''}
            onDone={done}
          />
        ) : (
          <h3>
            <bdi>{rename.isPending ? rename.variables : roleName(role)}</bdi>
          </h3>
        )}
        {mayRename ? (
          <IconButton
            icon={Pencil}
            label={t({ id: 'permissions.role.rename', defaultMessage: 'Rename role' })}
            onClick={() => setRenaming(true)}
            {...off}
          />
        ) : null}
      </span>
      <ErrorNote error={rename.error} />
    </>
  );
}

function DeleteButton({ role, onDelete }: { role: Role; onDelete: () => void }) {
  const { t } = useText();
  const off = useActionOff();
  const mayDelete = useRight('role:delete');
  const { organisation } = useTab();
  if (!mayDelete || isBuiltIn(role)) return null;
  const isBeyond = !isWithin(role.permissions, organisation.permissions);
  const reason = t({
    id: 'permissions.delete.beyond',
    defaultMessage: 'It has rights that you do not have, so you cannot delete it.',
  });
  return (
    <>
      <Button variant="default" color="red" onClick={onDelete} {...(isBeyond ? offBecause(reason) : off)}>
        {t({ id: 'permissions.delete.open', defaultMessage: 'Delete role' })}
      </Button>
      {isBeyond ? <span className="p-meta">{reason}</span> : null}
    </>
  );
}
