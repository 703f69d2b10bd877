import type { Invitation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useRefreshPeople } from '../people/use-people-commands.ts';

/** Ends an invitation: whoever has its link can join no more. */
export function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const revoke = useMutation({
    mutationFn: () =>
      api('DELETE /api/org/invitations/:invitationId', { orgId, params: { invitationId: invitation.id }, retries: 2 }),
    onSuccess: onClose,
    onSettled: refresh,
  });
  const isMail = invitation.kind === 'mail';
  const name = invitation.email ?? invitation.label ?? '';
  return (
    <ConfirmDialog
      title={
        isMail
          ? t({ id: 'organisation.revoke.mail', defaultMessage: 'Revoke the invitation of {name}?' }, { name })
          : t({ id: 'organisation.revoke.link', defaultMessage: 'Revoke the link “{name}”?' }, { name })
      }
      confirm={
        isMail
          ? t({ id: 'organisation.revoke.confirmMail', defaultMessage: 'Revoke invitation' })
          : t({ id: 'organisation.revoke.confirmLink', defaultMessage: 'Revoke link' })
      }
      act={revoke}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      {isMail
        ? t({
            id: 'organisation.revoke.mailText',
            defaultMessage: 'The link in the email stops working immediately, and the seat that it holds becomes free.',
          })
        : t(
            {
              id: 'organisation.revoke.linkText',
              defaultMessage:
                'It stops working at once. {taken, plural, =0 {Nobody has joined by it} one {# person who joined by it stays} other {# people who joined by it stay}}.',
            },
            { taken: invitation.taken },
          )}
    </ConfirmDialog>
  );
}
