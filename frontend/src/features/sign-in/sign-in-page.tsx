import { PasswordInput } from '@mantine/core';
import type { Me, RegistrationInfo } from '@parley/contracts';
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { api, isProblem, type Call } from '../../lib/http.ts';
import { useProblemText } from '../../lib/problem-texts.ts';
import { useText } from '../../lib/text.ts';
import { useFocusOnMount } from '../../ui/use-focus-on-mount.ts';
import { EmailField } from '../../ui/email-field.tsx';
import { FormEnd } from '../../ui/form-end.tsx';
import form from '../../ui/form.module.css';

export type SignInPageProps = {
  registerPath: string;
  forgotPath: string;
  onSignedIn: (me: Me) => void;
  wasSent: boolean;
  /** Why one stands here, for who did not come by an own wish. */
  notice?: ReactNode;
};

export function SignInPage({ registerPath, forgotPath, onSignedIn, wasSent, notice }: SignInPageProps) {
  const { t } = useText();
  const { failure, isRefused, isBusy, submit, clear } = useSignIn(onSignedIn);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [missing, setMissing] = useState<'email' | 'password' | null>(null);
  const emailInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  useFocusOnMount(emailInput);
  const send = (event: FormEvent) => {
    event.preventDefault();
    const lacking = email.trim() === '' ? 'email' : password === '' ? 'password' : null;
    setMissing(lacking);
    if (lacking) return (lacking === 'email' ? emailInput : passwordInput).current?.focus();
    void submit({ email: email.trim(), password }).then((isIn) => isIn || passwordInput.current?.select());
  };
  return (
    <form onSubmit={send} noValidate className={form.form}>
      <title>{t({ id: 'signIn.page.documentTitle', defaultMessage: 'Sign in · Parley' })}</title>
      <div>
        <h1 className="p-h1">{t({ id: 'signIn.page.title', defaultMessage: 'Sign in' })}</h1>
        <p className="p-quiet">
          {wasSent
            ? t({ id: 'signIn.page.sent', defaultMessage: 'Then you come back to the page you asked for.' })
            : t({ id: 'signIn.page.subtitle', defaultMessage: 'to your organisation’s workspace' })}
        </p>
      </div>
      {notice}
      <EmailField
        ref={emailInput}
        value={email}
        error={
          missing === 'email'
            ? t({ id: 'signIn.field.emailMissing', defaultMessage: 'Enter your email address.' })
            : undefined
        }
        onChange={(event) => {
          setEmail(event.currentTarget.value);
          clear();
          setMissing(null);
        }}
      />
      <div className={form.beside}>
        <PasswordInput
          ref={passwordInput}
          size="md"
          name="password"
          autoComplete="current-password"
          label={t({ id: 'signIn.field.password', defaultMessage: 'Password' })}
          value={password}
          error={
            missing === 'password'
              ? t({ id: 'signIn.field.passwordMissing', defaultMessage: 'Enter your password.' })
              : isRefused
                ? failure
                : undefined
          }
          visibilityToggleButtonProps={{
            'aria-label': t({ id: 'form.password.show', defaultMessage: 'Show or hide the password' }),
          }}
          onChange={(event) => {
            setPassword(event.currentTarget.value);
            clear();
            setMissing(null);
          }}
        />
        <Link className="p-link p-sm" to={forgotPath}>
          {t({ id: 'signIn.field.forgot', defaultMessage: 'Reset password' })}
        </Link>
      </div>
      <FormEnd failure={isRefused ? null : failure} isBusy={isBusy}>
        {t({ id: 'signIn.form.submit', defaultMessage: 'Sign in' })}
      </FormEnd>
      <RegisterHint path={registerPath} />
    </form>
  );
}

function useSignIn(onSignedIn: (me: Me) => void) {
  const describe = useProblemText();
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (body: Call<'POST /api/auth/sessions'>['body']): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      onSignedIn(await api('POST /api/auth/sessions', { body }));
      return true;
    } catch (reason) {
      setError(reason);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    failure: error ? describe(error).text : null,
    isRefused: isProblem(error, 'auth.invalid-credentials'),
    isBusy,
    submit,
    clear: () => setError(null),
  };
}

/** Says how one gets an account here; nothing while that is unknown. */
function RegisterHint({ path }: { path: string }) {
  const { rich } = useText();
  const [info, setInfo] = useState<RegistrationInfo | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    api('GET /api/auth/registration', { signal: controller.signal }).then(setInfo, () => undefined);
    return () => controller.abort();
  }, []);
  if (!info) return <p className="p-sm">&nbsp;</p>;
  const isOpen = info.mode === 'open' && !info.setupPending;
  const link = (text: ReactNode) => (
    <Link className="p-link" to={path}>
      {text}
    </Link>
  );
  return (
    <p className="p-sm p-quiet">
      {isOpen
        ? rich({ id: 'signIn.register.open', defaultMessage: 'New here? <link>Create an account</link>' }, { link })
        : rich({ id: 'signIn.register.how', defaultMessage: 'New here? <link>How to get an account</link>' }, { link })}
    </p>
  );
}
