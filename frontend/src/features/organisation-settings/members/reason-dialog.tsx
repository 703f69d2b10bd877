import type { Member } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { currentOf, useRefreshPeople } from '../people/use-people-commands.ts';
import { useRoles } from '../../../domain/role/use-roles.ts';
import { ReasonField } from '../parts/reason-field.tsx';

type Props = { kind: 'suspend' | 'remove'; member: Member; onClose: () => void };

/** Takes something from a person: names them, and asks why, for the audit log and the person. */
export function ReasonDialog({ kind, member, onClose }: Props) {
  const words = useWords(kind, member);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const { change, now } = useChange({ kind, member, onClose });
  const confirm = () => {
    if (reason.trim() === '') return setMissing(true);
    change.mutate(reason.trim());
  };
  return (
    <ConfirmDialog
      title={words.title}
      confirm={words.confirm}
      act={change}
      now={now}
      onConfirm={confirm}
      onClose={onClose}
      field={<ReasonField value={reason} isMissing={isMissing} onChange={setReason} onEnter={confirm} />}
    >
      {words.text}
    </ConfirmDialog>
  );
}

/** Sends it; where somebody changed the person meanwhile, says how they stand now and takes that for the next try. */
function useChange({ kind, member, onClose }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const { nameOf } = useRoles();
  const [newer, setNewer] = useState<Member | null>(null);
  const { userId, version } = newer ?? member;
  const change = useMutation<unknown, Error, string>({
    mutationFn: (reason) =>
      kind === 'remove'
        ? api('DELETE /api/org/members/:userId', { orgId, params: { userId }, query: { reason }, retries: 2 })
        : api('PUT /api/org/members/:userId/status', {
            orgId,
            params: { userId },
            body: { version, status: 'suspended', reason },
          }),
    onSuccess: onClose,
    onError: (failure) => setNewer(currentOf<Member>(failure) ?? newer),
    onSettled: refresh,
  });
  const states = {
    active: t({ id: 'organisation.state.active', defaultMessage: 'Active' }),
    suspended: t({ id: 'organisation.state.suspended', defaultMessage: 'Suspended' }),
  };
  const now =
    newer &&
    t(
      { id: 'organisation.now.member', defaultMessage: 'The person is now: {role}, {state}.' },
      { role: nameOf(newer.role), state: states[newer.status] },
    );
  return { change, now };
}

function useWords(kind: Props['kind'], { name }: Member) {
  const { t } = useText();
  return kind === 'remove'
    ? {
        title: t({ id: 'organisation.remove.title', defaultMessage: 'Remove {name}?' }, { name }),
        confirm: t({ id: 'organisation.remove.confirm', defaultMessage: 'Remove person' }),
        text: t({
          id: 'organisation.remove.text',
          defaultMessage:
            'The person is out within a second and the seat is free. What they wrote stays; to come back they need a new invitation.',
        }),
      }
    : {
        title: t({ id: 'organisation.suspend.title', defaultMessage: 'Suspend {name}?' }, { name }),
        confirm: t({ id: 'organisation.suspend.confirm', defaultMessage: 'Suspend person' }),
        text: t({
          id: 'organisation.suspend.text',
          defaultMessage:
            'The person keeps their role and seat but has no access here until someone reactivates them. Running answers stop.',
        }),
      };
}
