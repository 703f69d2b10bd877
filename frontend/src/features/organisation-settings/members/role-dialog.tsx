import type { Member } from '@parley/contracts';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { currentOf, useRefreshPeople } from '../people/use-people-commands.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { RoleChoice } from '../people/role-choice.tsx';

/** Another role for one person. Where somebody else was faster, it says which one they gave. */
export function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const { nameOf } = useRoles();
  const [newer, setNewer] = useState<Member | null>(null);
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { role: member.role },
    validate: {},
    send: ({ role }) =>
      api('PUT /api/org/members/:userId/role', {
        orgId,
        params: { userId: member.userId },
        body: { version: (newer ?? member).version, role },
      }),
    onSent: async () => {
      onClose();
      await refresh();
    },
    onRefused: (error) => {
      setNewer(currentOf<Member>(error) ?? newer);
      void refresh();
    },
  });
  const now =
    newer &&
    t({ id: 'organisation.now.role', defaultMessage: 'The role is now: {role}.' }, { role: nameOf(newer.role) });
  return (
    <FormDialog
      title={t({ id: 'organisation.role.title', defaultMessage: 'Role of {name}' }, { name: member.name })}
      save={t({ id: 'organisation.act.role', defaultMessage: 'Change role' })}
      isBusy={isBusy}
      failure={failure}
      now={now}
      onSubmit={submit}
      onClose={onClose}
    >
      <RoleChoice
        isFirst
        value={fields.values.role}
        error={fields.errors['role']}
        onChange={(role) => fields.setValues({ role })}
      />
      <p className="p-meta">
        {t({ id: 'organisation.role.soon', defaultMessage: 'Takes effect within a second, in open windows too.' })}
      </p>
    </FormDialog>
  );
}
