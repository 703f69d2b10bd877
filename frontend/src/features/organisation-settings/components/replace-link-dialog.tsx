import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/CloseButton.css';
import { Button, Modal } from '@mantine/core';
import type { Invitation } from '@parley/contracts';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { currentOf, useRefreshPeople } from '../use-people-commands.ts';
import classes from './dialogs.module.css';
import { MadeLink } from './made-link.tsx';

/** A new secret for a link, shown once; the old one is dead. */
export function ReplaceLinkDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const { t } = useText();
  const describe = useProblemText();
  const orgId = useTab().organisation.id;
  const refresh = useRefreshPeople();
  const [newer, setNewer] = useState<Invitation | null>(null);
  const { id, version, label, taken } = newer ?? invitation;
  const replace = useMutation({
    mutationFn: () =>
      api('POST /api/org/invitation-links/:invitationId/secret', {
        orgId,
        params: { invitationId: id },
        body: { version },
      }),
    onError: (failure) => setNewer(currentOf<Invitation>(failure) ?? newer),
    onSettled: refresh,
  });
  const name = label ?? '';
  const now =
    newer && t({ id: 'organisation.now.link', defaultMessage: 'Places used now: {taken, number}.' }, { taken });
  if (replace.data)
    return (
      <Modal
        opened
        onClose={onClose}
        size="32.5rem"
        withCloseButton={false}
        padding="lg"
        title={
          <span className="p-h2">
            {t({ id: 'organisation.replace.done', defaultMessage: 'New link “{name}”' }, { name })}
          </span>
        }
      >
        <div className={classes.form}>
          <MadeLink token={replace.data.token} />
          <div className={classes.actions}>
            <Button variant="default" onClick={onClose}>
              {t({ id: 'organisation.dialog.done', defaultMessage: 'Done' })}
            </Button>
          </div>
        </div>
      </Modal>
    );
  return (
    <ConfirmDialog
      title={t({ id: 'organisation.replace.title', defaultMessage: 'Replace the link “{name}”?' }, { name })}
      confirm={t({ id: 'organisation.act.replace', defaultMessage: 'Replace link' })}
      isBusy={replace.isPending}
      error={replace.error ? [describe(replace.error).text, now].filter(Boolean).join(' ') : null}
      onConfirm={() => replace.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'organisation.replace.text',
        defaultMessage: 'The old link stops working at once. Role, groups, places and end stay as they are.',
      })}
    </ConfirmDialog>
  );
}
