import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Button, Modal } from '@mantine/core';
import type { Invitation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { MadeLink } from '../../../domain/invitation/made-link.tsx';
import { Note } from '../../../ui/note.tsx';
import { currentOf, useRefreshPeople } from '../people/use-people-commands.ts';
import form from '../../../ui/form.module.css';

/**
 * A new secret, shown once, for a link or for somebody's invitation where there is no mail server; the old one is dead.
 */
export function ReplaceLinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const [newer, setNewer] = useState<Invitation | null>(null);
  const { id, version, label, email, taken } = newer ?? invitation;
  const isMail = invitation.kind === 'mail';
  const replace = useMutation({
    mutationFn: async () => {
      const call = { orgId, params: { invitationId: id }, body: { version } };
      if (!isMail) return (await api('POST /api/org/invitation-links/:invitationId/secret', call)).token;
      return (await api('POST /api/org/invitations/:invitationId/resend', call)).link?.token ?? null;
    },
    onError: (failure) => setNewer(currentOf<Invitation>(failure) ?? newer),
    onSettled: refresh,
  });
  const name = email ?? label ?? '';
  const now =
    newer &&
    !isMail &&
    t({ id: 'organisation.now.link', defaultMessage: 'Places used now: {taken, number}.' }, { taken });
  if (replace.data !== undefined)
    return (
      <Modal
        opened
        onClose={onClose}
        size="32.5rem"
        withCloseButton={false}
        padding="lg"
        title={
          <span className="p-h2">
            {isMail
              ? t({ id: 'organisation.replace.doneFor', defaultMessage: 'New link for {name}' }, { name })
              : t({ id: 'organisation.replace.done', defaultMessage: 'New link “{name}”' }, { name })}
          </span>
        }
      >
        <div className={form.form}>
          {replace.data === null ? (
            <Note kind="warning">
              {t({
                id: 'organisation.replace.none',
                defaultMessage: 'The old link no longer works. The new one can’t be shown now: try again in a moment.',
              })}
            </Note>
          ) : (
            <MadeLink token={replace.data} />
          )}
          <div className={form.endsAtEnd}>
            <Button variant="default" onClick={onClose}>
              {t({ id: 'organisation.dialog.done', defaultMessage: 'Done' })}
            </Button>
          </div>
        </div>
      </Modal>
    );
  return (
    <ConfirmDialog
      title={
        isMail
          ? t({ id: 'organisation.replace.titleFor', defaultMessage: 'Create a new link for {name}?' }, { name })
          : t({ id: 'organisation.replace.title', defaultMessage: 'Replace the link “{name}”?' }, { name })
      }
      confirm={
        isMail
          ? t({ id: 'organisation.replace.confirm', defaultMessage: 'Create link' })
          : t({ id: 'organisation.act.replace', defaultMessage: 'Replace link' })
      }
      act={replace}
      now={now}
      onConfirm={() => replace.mutate()}
      onClose={onClose}
    >
      {isMail
        ? t({
            id: 'organisation.replace.textFor',
            defaultMessage:
              'The old link stops working immediately. Parley sends no email: pass the new link on yourself.',
          })
        : t({
            id: 'organisation.replace.text',
            defaultMessage: 'The old link stops working at once. Role, groups, places and end stay as they are.',
          })}
    </ConfirmDialog>
  );
}
