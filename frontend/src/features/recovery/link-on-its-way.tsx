import { Button } from '@mantine/core';
import { Link2, Mail } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';
import form from '../../ui/form.module.css';
import { Note } from '../../ui/note.tsx';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';
import { useAsk } from './use-ask.ts';
import { useWhoHandsOver, type Recovery } from './who-hands-over.ts';
import classes from './forgot-password.module.css';

type Asked = { email: string; endsAt: string };
type Props = Asked & {
  recovery: Recovery | null;
  signInPath: string;
  onAgain: (asked: Asked) => void;
  onOther: () => void;
};

/** As the server has it: nobody gets two mails within a minute. */
const pauseSeconds = 60;

/** The same words for every address: whether there is such an account, only its owner learns. */
export function LinkOnItsWay({ email, endsAt, recovery, signInPath, onAgain, onOther }: Props) {
  const { t, rich } = useText();
  const { clock } = useFormats();
  const whoHandsOver = useWhoHandsOver();
  const isHanded = recovery?.sendsMail === false;
  const values = { email: <bdi className={classes.email}>{email}</bdi>, time: clock(endsAt) };
  return (
    <>
      <output className={form.form}>
        {isHanded ? (
          <VisitorHeading icon={Link2} title={t({ id: 'recovery.handed.title', defaultMessage: 'Ask for your link' })}>
            {rich(
              {
                id: 'recovery.handed.text',
                defaultMessage:
                  'If there is an account for {email}, {people} can now hand you a link. It works once, until {time}.',
              },
              { ...values, people: whoHandsOver(recovery) },
            )}
          </VisitorHeading>
        ) : (
          <VisitorHeading icon={Mail} title={t({ id: 'recovery.sent.title', defaultMessage: 'Check your email' })}>
            {rich(
              {
                id: 'recovery.sent.text',
                defaultMessage:
                  'If there is an account for {email}, a link is on its way. It works once, until {time}.',
              },
              values,
            )}
          </VisitorHeading>
        )}
      </output>
      {isHanded ? null : <Again key={endsAt} email={email} onAgain={onAgain} />}
      <p className={`p-sm ${classes.links}`}>
        <button type="button" className="p-link" onClick={onOther}>
          {t({ id: 'recovery.sent.other', defaultMessage: 'Use another address' })}
        </button>
        <span aria-hidden="true">·</span>
        <Link className="p-link" to={signInPath}>
          {t({ id: 'recovery.back.signIn', defaultMessage: 'Back to sign-in' })}
        </Link>
      </p>
    </>
  );
}

function Again({ email, onAgain }: { email: string; onAgain: (asked: Asked) => void }) {
  const { t } = useText();
  const { ask, isBusy, failure } = useAsk(onAgain);
  const seconds = useSecondsLeft();
  return (
    <>
      <div className={form.actions}>
        <Button size="md" variant="default" disabled={seconds > 0} loading={isBusy} onClick={() => void ask(email)}>
          {t({ id: 'recovery.sent.again', defaultMessage: 'Send it again' })}
        </Button>
        {seconds > 0 ? (
          <span className="p-sm p-quiet" role="timer" aria-live="off">
            {t(
              { id: 'recovery.sent.wait', defaultMessage: 'possible in {time}' },
              { time: `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` },
            )}
          </span>
        ) : null}
      </div>
      {failure ? (
        <Note kind="danger" isAlert>
          {failure}
        </Note>
      ) : null}
    </>
  );
}

/** By the clock: a tab that slept is not behind. */
function useSecondsLeft(): number {
  const [endsAt] = useState(() => Date.now() + pauseSeconds * 1_000);
  const [left, setLeft] = useState(pauseSeconds);
  useEffect(() => {
    const timer = setInterval(() => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000))), 500);
    return () => clearInterval(timer);
  }, [endsAt]);
  return left;
}
