import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { leaveSession } from '../../../domain/session/own-session.ts';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import { PasswordForm } from './password-form.tsx';
import { Section } from '../parts/section.tsx';
import classes from '../parts/settings.module.css';

export function SecurityTab() {
  const { t } = useText();
  return (
    <>
      <Section
        title={t({ id: 'settings.password.title', defaultMessage: 'Password' })}
        about={t({
          id: 'settings.password.about',
          defaultMessage: 'Changing the password ends all other sessions. You get an email about it.',
        })}
      >
        <PasswordForm />
      </Section>
      <Section
        title={t({ id: 'settings.everywhere.title', defaultMessage: 'If something looks wrong' })}
        about={t({
          id: 'settings.everywhere.about',
          defaultMessage: 'Ends every session of yours within a second, this one too.',
        })}
      >
        <SignOutEverywhere />
      </Section>
    </>
  );
}

function SignOutEverywhere() {
  const { t } = useText();
  const client = useQueryClient();
  const off = useActionOff();
  const [isAsking, setAsking] = useState(false);
  const leave = useMutation({
    mutationFn: () => leaveSession('DELETE /api/auth/sessions'),
    onSuccess: () => client.clear(),
  });
  const label = t({ id: 'shell.person.signOutEverywhere', defaultMessage: 'Sign out everywhere' });
  return (
    <div className={classes.act}>
      <Button variant="default" c="var(--p-danger)" onClick={() => setAsking(true)} {...off}>
        {label}
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={label}
          confirm={label}
          act={leave}
          onConfirm={() => leave.mutate()}
          onClose={() => setAsking(false)}
        >
          {t({
            id: 'settings.everywhere.text',
            defaultMessage:
              'All your browsers and devices are signed out, this one too. You sign in again with your password.',
          })}
        </ConfirmDialog>
      ) : null}
    </div>
  );
}
