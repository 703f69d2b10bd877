import type { Member } from '@parley/contracts';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { currentOf, useRefreshPeople } from '../people/use-people-commands.ts';
import { useGroups } from '../../../domain/role/use-roles.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { GroupChoice } from '../people/group-choice.tsx';

/** Which groups one person is in. */
export function GroupsDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { t, intl } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const { groups, namesOf, isLoaded } = useGroups();
  const [newer, setNewer] = useState<Member | null>(null);
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { groupIds: member.groupIds },
    validate: {},
    send: ({ groupIds }) =>
      api('PUT /api/org/members/:userId/groups', {
        orgId,
        params: { userId: member.userId },
        body: { version: (newer ?? member).version, groupIds: [...groupIds] },
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
  const none = t({ id: 'organisation.groups.none', defaultMessage: 'No group' });
  const now =
    newer &&
    t(
      { id: 'organisation.now.groups', defaultMessage: 'The groups are now: {groups}.' },
      { groups: newer.groupIds.length > 0 ? intl.formatList(namesOf(newer.groupIds)) : none },
    );
  return (
    <FormDialog
      title={t({ id: 'organisation.groups.title', defaultMessage: 'Groups of {name}' }, { name: member.name })}
      save={t({ id: 'organisation.act.groups', defaultMessage: 'Change groups' })}
      isBusy={isBusy}
      failure={failure}
      now={now}
      onSubmit={submit}
      onClose={onClose}
    >
      {isLoaded && groups.length === 0 ? (
        <p className="p-sm p-quiet">
          {t({ id: 'organisation.groups.empty', defaultMessage: 'No groups yet. Create them under Permissions.' })}
        </p>
      ) : (
        <GroupChoice
          isFirst
          value={fields.values.groupIds}
          error={fields.errors['groupIds']}
          onChange={(groupIds) => fields.setValues({ groupIds })}
        />
      )}
    </FormDialog>
  );
}
