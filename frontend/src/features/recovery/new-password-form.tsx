import { useRef, useState, type FormEvent } from 'react';
import { api, isProblem } from '../../lib/http.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useSession } from '../../domain/session/session.ts';
import { useText } from '../../lib/text.ts';
import { FormEnd } from '../../ui/form-end.tsx';
import form from '../../ui/form.module.css';
import { Note } from '../../ui/note.tsx';
import { NewPasswordField, shortestPassword } from '../../ui/new-password-field.tsx';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';

type Props = {
  token: string;
  email: string;
  onDone: (endedSessions: number) => void;
  /** Somebody was faster, or it took too long. */
  onEnded: (error: unknown) => void;
};

export function NewPasswordForm({ token, email, onDone, onEnded }: Props) {
  const { t, rich } = useText();
  const session = useSession();
  const { password, type, error, failure, isBusy, send, input } = useReset({ token, onDone, onEnded });
  useFocusOnMount(input);
  const other = session.status === 'signed-in' && session.me.email !== email ? session.me.name : null;
  return (
    <form onSubmit={send} noValidate className={form.form}>
      <VisitorHeading title={t({ id: 'recovery.reset.title', defaultMessage: 'Choose a new password' })}>
        {rich({ id: 'recovery.reset.for', defaultMessage: 'for {email}' }, { email: <bdi key="email">{email}</bdi> })}
      </VisitorHeading>
      {other === null ? null : (
        <Note kind="info">
          {t(
            {
              id: 'recovery.reset.other',
              defaultMessage: '{name} is signed in here. Setting the password signs you in as {email} instead.',
            },
            { name: other, email },
          )}
        </Note>
      )}
      {/* Password managers keep the new password under the right name by it. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordField
        ref={input}
        label={t({ id: 'recovery.reset.password', defaultMessage: 'New password' })}
        value={password}
        error={error}
        onChange={(event) => type(event.currentTarget.value)}
      />
      <p className="p-sm p-quiet">
        {t({ id: 'recovery.reset.others', defaultMessage: 'Every other session of this account ends with it.' })}
      </p>
      <FormEnd failure={failure} isBusy={isBusy}>
        {t({ id: 'recovery.reset.submit', defaultMessage: 'Set password' })}
      </FormEnd>
    </form>
  );
}

function useReset({ token, onDone, onEnded }: Pick<Props, 'token' | 'onDone' | 'onEnded'>) {
  const { t } = useText();
  const describe = useProblemText();
  const input = useRef<HTMLInputElement>(null);
  const [password, setPassword] = useState('');
  const [isShort, setShort] = useState(false);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const isCommon = isProblem(refusal, 'auth.password-too-common');
  const reset = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      onDone((await api('POST /api/auth/password-resets/redeem', { body: { token, password } })).endedSessions);
    } catch (reason) {
      if (isProblem(reason, 'auth.link-ended')) return onEnded(reason);
      setRefusal(reason);
      input.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    const tooShort = password.length < shortestPassword;
    setShort(tooShort);
    if (tooShort) return input.current?.focus();
    void reset();
  };
  const type = (text: string) => {
    setPassword(text);
    setShort(false);
    setRefusal(null);
  };
  const short = t(
    { id: 'register.check.password', defaultMessage: 'Use {count} characters or more.' },
    { count: shortestPassword },
  );
  return {
    password,
    type,
    error: isShort ? short : isCommon ? describe(refusal).text : undefined,
    failure: refusal && !isCommon ? describe(refusal).text : null,
    isBusy,
    send,
    input,
  };
}
