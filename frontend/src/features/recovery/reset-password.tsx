import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '@mantine/core';
import { CircleCheck, Clock } from 'lucide-react';
import { api, isProblem, type Answer } from '../../lib/http.ts';
import { useText } from '../../lib/text.ts';
import form from '../../ui/form.module.css';
import { ErrorNote } from '../../ui/error-note.tsx';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

type Checked = Answer<'POST /api/auth/password-resets/check'>;
type Props = { token: string; forgotPath: string; signInPath: string; onOpen: () => void };

/** What the link is good for decides what is shown: a new password, or a way to a new link. */
export function ResetPassword({ token, forgotPath, signInPath, onOpen }: Props) {
  const { t } = useText();
  const { checked, error, end } = useCheck(token);
  const [endedSessions, setEndedSessions] = useState<number | null>(null);
  return (
    <div className={form.form}>
      <title>{t({ id: 'recovery.reset.documentTitle', defaultMessage: 'New password · Parley' })}</title>
      {endedSessions !== null ? (
        <Done endedSessions={endedSessions} onOpen={onOpen} />
      ) : isProblem(error, 'auth.link-ended') || token === '' ? (
        <Ended forgotPath={forgotPath} signInPath={signInPath} />
      ) : error ? (
        <ErrorNote error={error} />
      ) : checked ? (
        <NewPasswordForm token={token} email={checked.email} onDone={setEndedSessions} onEnded={end} />
      ) : null}
    </div>
  );
}

function Ended({ forgotPath, signInPath }: { forgotPath: string; signInPath: string }) {
  const { t } = useText();
  return (
    <>
      <VisitorHeading
        icon={Clock}
        tone="quiet"
        title={t({ id: 'recovery.ended.title', defaultMessage: 'This link no longer works' })}
      >
        {t({
          id: 'recovery.ended.text',
          defaultMessage:
            'Links work once, for 30 minutes, and only the newest one does. If the password was changed and it was not you, a new link takes the account back.',
        })}
      </VisitorHeading>
      <div className={form.actions}>
        <Button size="md" component={Link} to={forgotPath}>
          {t({ id: 'recovery.ended.again', defaultMessage: 'Send a new link' })}
        </Button>
      </div>
      <p className="p-sm">
        <Link className="p-link" to={signInPath}>
          {t({ id: 'recovery.back.signIn', defaultMessage: 'Back to sign-in' })}
        </Link>
      </p>
    </>
  );
}

function Done({ endedSessions, onOpen }: { endedSessions: number; onOpen: () => void }) {
  const { t } = useText();
  return (
    <>
      <output>
        <VisitorHeading
          icon={CircleCheck}
          tone="success"
          title={t({ id: 'recovery.done.title', defaultMessage: 'Your new password is set' })}
        >
          {t(
            {
              id: 'recovery.done.text',
              defaultMessage:
                'You are signed in on this device. {count, plural, =0 {No other session was open.} one {# other session was ended.} other {# other sessions were ended.}}',
            },
            { count: endedSessions },
          )}
        </VisitorHeading>
      </output>
      <Button size="md" fullWidth onClick={onOpen}>
        {t({ id: 'recovery.done.open', defaultMessage: 'Open chat' })}
      </Button>
    </>
  );
}

function useCheck(token: string) {
  const [checked, setChecked] = useState<Checked | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    if (token === '') return undefined;
    const controller = new AbortController();
    api('POST /api/auth/password-resets/check', { body: { token }, signal: controller.signal }).then(
      setChecked,
      (reason: unknown) => controller.signal.aborted || setError(reason),
    );
    return () => controller.abort();
  }, [token]);
  return { checked, error, end: setError };
}
