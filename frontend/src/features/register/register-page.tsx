import type { Me, RegistrationInfo } from '@parley/contracts';
import { useEffect, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { api } from '../../lib/http.ts';
import { useText } from '../../lib/text.ts';
import { ErrorNote } from '../../ui/error-note.tsx';
import form from '../../ui/form.module.css';
import { RegisterForm } from './register-form.tsx';

export type RegisterPageProps = { signInPath: string; setupToken: string | null; onRegistered: (me: Me) => void };

/** Which way into this installation there is decides what is shown. */
export function RegisterPage({ signInPath, setupToken, onRegistered }: RegisterPageProps) {
  const { t } = useText();
  const { info, error } = useRegistration();
  const formTitle = setupToken
    ? t({ id: 'register.page.setupTitle', defaultMessage: 'Create the first account' })
    : t({ id: 'register.page.title', defaultMessage: 'Create your account' });
  return (
    <div className={form.form}>
      <title>{t({ id: 'register.page.documentTitle', defaultMessage: 'Create account · Parley' })}</title>
      <ErrorNote error={error} />
      {info && (setupToken || (info.mode === 'open' && !info.setupPending)) ? (
        <>
          <Heading title={formTitle}>
            {setupToken
              ? t({
                  id: 'register.page.setupSubtitle',
                  defaultMessage: 'It becomes the platform admin of this installation.',
                })
              : t({
                  id: 'register.page.subtitle',
                  defaultMessage: 'Then create an organisation, or join one that invites you.',
                })}
          </Heading>
          <RegisterForm setupToken={setupToken} onRegistered={onRegistered} />
        </>
      ) : null}
      {info && !setupToken ? <NoForm info={info} /> : null}
      <SignInHint path={signInPath} />
    </div>
  );
}

function Heading({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h1 className="p-h1">{title}</h1>
      <p className="p-quiet">{children}</p>
    </div>
  );
}

/** Without a form: whom to ask, or where the setup link is. */
function NoForm({ info }: { info: RegistrationInfo }) {
  const { t, intl } = useText();
  if (info.setupPending) {
    return (
      <Heading title={t({ id: 'register.setup.title', defaultMessage: 'Open the setup link' })}>
        {t({
          id: 'register.setup.text',
          defaultMessage:
            'Nobody administers this installation yet. The first account is made with the link that Parley printed when it started; look at the end of that output.',
        })}
      </Heading>
    );
  }
  if (info.mode === 'open') return null;
  const people = intl.formatList(info.contacts, { type: 'disjunction' });
  return (
    <Heading
      title={
        info.mode === 'invitation'
          ? t({ id: 'register.invitation.title', defaultMessage: 'An account needs an invitation' })
          : t({ id: 'register.closed.title', defaultMessage: 'Registration is closed' })
      }
    >
      {info.contacts.length > 0
        ? t({ id: 'register.contact.ask', defaultMessage: 'Ask {people} for an account.' }, { people })
        : t({
            id: 'register.contact.nobody',
            defaultMessage: 'Ask the person who runs this installation for an account.',
          })}
    </Heading>
  );
}

function SignInHint({ path }: { path: string }) {
  const { rich } = useText();
  return (
    <p className="p-sm p-quiet">
      {rich(
        { id: 'register.page.signIn', defaultMessage: 'You have an account? <link>Sign in</link>' },
        {
          link: (text) => (
            <Link className="p-link" to={path}>
              {text}
            </Link>
          ),
        },
      )}
    </p>
  );
}

function useRegistration() {
  const [info, setInfo] = useState<RegistrationInfo | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const controller = new AbortController();
    api('GET /api/auth/registration', { signal: controller.signal }).then(
      setInfo,
      (reason: unknown) => controller.signal.aborted || setError(reason),
    );
    return () => controller.abort();
  }, []);
  return { info, error };
}
