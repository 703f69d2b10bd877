import { Button, NativeSelect, TextInput } from '@mantine/core';
import type { Role } from '@parley/contracts';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useRoleName } from '../../../domain/role/role-names.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormFailureNote } from '../../../ui/form-failure.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import form from '../../../ui/form.module.css';
import { useRefreshRoles } from '../use-role-edits.ts';

type Props = {
  roles: readonly Role[];
  /** The role that it starts from, until another one is chosen. */
  like: Role | null;
  onAdded: (role: Role) => void;
  onClose: () => void;
};

/** A name, and a role to start from: the new one gets of its rights those that one has oneself. */
export function AddRoleDialog({ roles, like, onAdded, onClose }: Props) {
  const { t } = useText();
  const roleName = useRoleName();
  const off = useActionOff();
  const { fields, submit, failure, isBusy, beyond } = useAddRole({ roles, like, onAdded });
  return (
    <Dialog title={t({ id: 'permissions.add.title', defaultMessage: 'Add role' })} onClose={onClose}>
      <form className={form.form} noValidate onSubmit={submit}>
        <TextInput
          data-autofocus
          name="name"
          label={t({ id: 'permissions.add.name', defaultMessage: 'Name' })}
          maxLength={60}
          dir="auto"
          autoComplete="off"
          {...fields.getInputProps('name')}
        />
        <NativeSelect
          label={t({ id: 'permissions.add.from', defaultMessage: 'Start from' })}
          data={roles.map((role) => ({ value: role.id, label: roleName(role) }))}
          {...fields.getInputProps('from')}
        />
        {beyond > 0 ? (
          <p className="p-sm p-quiet">
            {t(
              {
                id: 'permissions.add.beyond',
                defaultMessage:
                  '{count, plural, one {# right that you do not have yourself is} other {# rights that you do not have yourself are}} left out.',
              },
              { count: beyond },
            )}
          </p>
        ) : null}
        <FormFailureNote failure={failure} />
        <div className={form.ends}>
          <Button type="submit" loading={isBusy} {...off}>
            {t({ id: 'permissions.add.title', defaultMessage: 'Add role' })}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {t({ id: 'permissions.dialog.cancel', defaultMessage: 'Cancel' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function useAddRole({ roles, like, onAdded }: Omit<Props, 'onClose'>) {
  const { t } = useText();
  const { organisation } = useTab();
  const refresh = useRefreshRoles();
  const [id] = useState(() => newId('role'));
  const rightsOf = (from: string) => roles.find((role) => role.id === from)?.permissions ?? [];
  const isOwn = (permission: Role['permissions'][number]) => organisation.permissions.includes(permission);
  const { fields, ...rest } = useServerForm({
    initialValues: { name: '', from: like?.id ?? 'member' } as { name: string; from: string },
    validate: {
      name: (name) =>
        name.trim() === ''
          ? t({ id: 'permissions.add.noName', defaultMessage: 'Enter the name that people will see.' })
          : null,
    },
    send: ({ name, from }) =>
      api('POST /api/org/roles', {
        orgId: organisation.id,
        body: { id, name: name.trim(), permissions: rightsOf(from).filter(isOwn) },
        retries: 2,
      }),
    onSent: async (role) => {
      await refresh();
      onAdded(role);
    },
    fieldOfProblem: { 'org.name-taken': 'name' },
  });
  const beyond = rightsOf(fields.values.from).filter((permission) => !isOwn(permission)).length;
  return { fields, beyond, ...rest };
}
