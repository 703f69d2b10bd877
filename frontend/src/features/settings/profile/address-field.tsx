import { TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { api } from '../../../lib/http.ts';
import { useProblemText } from '../../../lib/problem-texts.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useSendsMail } from '../../../domain/mail/use-sends-mail.ts';
import { MailServerLink } from '../../../domain/mail/mail-server-link.tsx';
import { StatusShape } from '../../../ui/status-shape.tsx';
import { useActionOff } from '../../../ui/stale.tsx';
import classes from '../parts/settings.module.css';

/** What one signs in with, and whether it is known to be one's own. */
export function AddressField() {
  const { t } = useText();
  const { me } = useTab();
  return (
    <div className={classes.field}>
      <TextInput
        label={t({ id: 'settings.field.email', defaultMessage: 'Email' })}
        value={me.email}
        readOnly
        dir="ltr"
        classNames={{ input: classes.locked }}
        leftSection={<Lock />}
        description={t({
          id: 'settings.field.emailLocked',
          defaultMessage: 'You sign in with it. It cannot be changed here; ask a platform admin.',
        })}
      />
      {me.isProven ? null : <ConfirmAddress />}
    </div>
  );
}

function ConfirmAddress() {
  const { t } = useText();
  const describe = useProblemText();
  const off = useActionOff();
  const sendsMail = useSendsMail();
  const ask = useMutation({ mutationFn: () => api('POST /api/auth/address-proofs', { retries: 2 }) });
  return (
    <output className={`p-meta ${classes.outcome}`}>
      <StatusShape kind="warning" />
      <span className={classes.told}>
        {ask.data?.sendsMail
          ? t({ id: 'settings.proof.sent', defaultMessage: 'Not verified yet. Open the newest link in your email.' })
          : sendsMail === false
            ? t({
                id: 'settings.proof.noMail',
                defaultMessage: 'Not verified: without an email server Parley can’t verify addresses.',
              })
            : ask.error
              ? describe(ask.error).text
              : t({
                  id: 'settings.proof.missing',
                  defaultMessage:
                    'Not verified yet: invitations to it aren’t listed, and links for its domain don’t let you in.',
                })}
        {sendsMail === false ? (
          <>
            {' '}
            <MailServerLink />
          </>
        ) : ask.data ? null : (
          <>
            {' '}
            <button type="button" className="p-link" disabled={ask.isPending} onClick={() => ask.mutate()} {...off}>
              {t({ id: 'settings.proof.send', defaultMessage: 'Send me the link' })}
            </button>
          </>
        )}
      </span>
    </output>
  );
}
