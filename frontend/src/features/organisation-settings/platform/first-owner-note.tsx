import { Button, TextInput } from '@mantine/core';
import type { PlatformOrganisation } from '@parley/contracts';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { MadeLink } from '../../../domain/invitation/made-link.tsx';
import { Note } from '../../../ui/note.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { useShowPlatformOrganisation } from './use-platform-organisation.ts';
import { FormDialog } from '../parts/form-dialog.tsx';

type Props = { organisation: PlatformOrganisation };

/** Whose answer a new organisation waits for, and another invitation where it does not come. */
export function FirstOwnerNote({ organisation }: Props) {
  const { t, rich } = useText();
  const { date } = useFormats();
  const off = useActionOff();
  const [isInviting, setInviting] = useState(false);
  const { ownerInvitation: open } = organisation;
  return (
    <Note
      kind={open ? 'info' : 'warning'}
      actions={
        <Button variant="default" size="xs" onClick={() => setInviting(true)} {...off}>
          {t({ id: 'organisation.platform.inviteOwner', defaultMessage: 'Send a new invitation' })}
        </Button>
      }
    >
      {open
        ? rich(
            {
              id: 'organisation.platform.waits',
              defaultMessage:
                'It waits for {address} to accept and become its owner. The invitation is valid until {day}; without an email server its link is in the email log.',
            },
            {
              address: (
                <bdi key="address" dir="ltr">
                  {open.email}
                </bdi>
              ),
              day: date(open.endsAt),
            },
          )
        : t({
            id: 'organisation.platform.nobody',
            defaultMessage: 'Nobody is its owner, and no invitation is open: it was declined, or its time is over.',
          })}
      {isInviting ? <InviteDialog organisation={organisation} onClose={() => setInviting(false)} /> : null}
    </Note>
  );
}

function InviteDialog({ organisation, onClose }: Props & { onClose: () => void }) {
  const { t } = useText();
  const show = useShowPlatformOrganisation();
  const [invitationId] = useState(() => newId('invitation'));
  const [token, setToken] = useState<string | null>(null);
  const { fields, submit, failure, isBusy } = useServerForm({
    initialValues: { email: organisation.ownerInvitation?.email ?? '' },
    validate: {
      email: (value) =>
        value.includes('@')
          ? null
          : t({ id: 'organisation.platform.addressCheck', defaultMessage: 'Enter an email address.' }),
    },
    send: ({ email }) =>
      api('PUT /api/org/all-organisations/:orgId/owner-invitation', {
        params: { orgId: organisation.id },
        body: { invitationId, email },
        retries: 2,
      }),
    onSent: async ({ link, ...changed }) => {
      if (link) setToken(link.token);
      else onClose();
      await show(changed);
    },
  });
  const title = t(
    { id: 'organisation.platform.inviteTitle', defaultMessage: 'Invite the owner of {name}' },
    { name: organisation.name },
  );
  if (token !== null)
    return (
      <Dialog title={title} onClose={onClose}>
        <MadeLink token={token} />
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      save={t({ id: 'organisation.platform.inviteSend', defaultMessage: 'Send invitation' })}
      isBusy={isBusy}
      failure={failure}
      now={null}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        name="email"
        type="email"
        dir="ltr"
        data-autofocus
        label={t({ id: 'organisation.platform.ownerAddress', defaultMessage: 'Email of the first owner' })}
        description={t({
          id: 'organisation.platform.inviteAbout',
          defaultMessage: 'The invitation of before ends at once.',
        })}
        {...fields.getInputProps('email')}
      />
    </FormDialog>
  );
}
