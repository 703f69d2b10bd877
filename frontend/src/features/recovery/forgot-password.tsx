import { useEffect, useState } from 'react';
import { api } from '../../lib/http.ts';
import { useText } from '../../lib/text.ts';
import form from '../../ui/form.module.css';
import { AskForLink } from './ask-for-link.tsx';
import { LinkOnItsWay } from './link-on-its-way.tsx';
import type { Recovery } from './who-hands-over.ts';

type Asked = { readonly email: string; readonly endsAt: string };

/** One field; what comes then is the same for every address. */
export function ForgotPassword({ signInPath }: { signInPath: string }) {
  const { t } = useText();
  const recovery = useRecovery();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [email, setEmail] = useState('');
  return (
    <div className={form.form}>
      <title>{t({ id: 'recovery.page.documentTitle', defaultMessage: 'Reset password · Parley' })}</title>
      {asked ? (
        <LinkOnItsWay
          {...asked}
          recovery={recovery}
          signInPath={signInPath}
          onAgain={setAsked}
          onOther={() => setAsked(null)}
        />
      ) : (
        <AskForLink email={email} onEmail={setEmail} recovery={recovery} signInPath={signInPath} onAsked={setAsked} />
      )}
    </div>
  );
}

/** Null until it is known whether there is a mail server; then the form says what comes. */
function useRecovery(): Recovery | null {
  const [recovery, setRecovery] = useState<Recovery | null>(null);
  useEffect(() => {
    const controller = new AbortController();
    api('GET /api/auth/password-resets', { signal: controller.signal }).then(setRecovery, () => undefined);
    return () => controller.abort();
  }, []);
  return recovery;
}
