import { Button } from '@mantine/core';
import type { Me } from '@parley/contracts';
import { CircleCheck, Clock, MailCheck } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { api, isProblem } from '../../lib/http.ts';
import { useText } from '../../lib/text.ts';
import form from '../../ui/form.module.css';
import { ErrorNote } from '../../ui/error-note.tsx';
import { VisitorHeading } from '../../ui/visitor-heading.tsx';

type Props = {
  token: string;
  /** Who is signed in. */
  me: Me | null;
  signInPath: string;
  /** The link is used up, or of no use. */
  onOver: () => void;
  onOpen: () => void;
};

/** A token that was mailed to an address comes back from the account that has this address. */
export function ProveAddress({ token, me, signInPath, onOver, onOpen }: Props) {
  const { t } = useText();
  return (
    <div className={form.form}>
      <title>{t({ id: 'recovery.proof.documentTitle', defaultMessage: 'Confirm your address · Parley' })}</title>
      {me ? <Proof token={token} me={me} onOver={onOver} onOpen={onOpen} /> : <SignInFirst path={signInPath} />}
    </div>
  );
}

function SignInFirst({ path }: { path: string }) {
  const { t } = useText();
  return (
    <>
      <VisitorHeading
        icon={MailCheck}
        title={t({ id: 'recovery.proof.title', defaultMessage: 'Confirm your address' })}
      >
        {t({
          id: 'recovery.proof.signInFirst',
          defaultMessage: 'Sign in to the account that has this address. It is confirmed with that.',
        })}
      </VisitorHeading>
      <Button size="md" fullWidth component={Link} to={path}>
        {t({ id: 'recovery.proof.signIn', defaultMessage: 'Sign in' })}
      </Button>
    </>
  );
}

function Proof({ token, me, onOver, onOpen }: Pick<Props, 'token' | 'onOver' | 'onOpen'> & { me: Me }) {
  const { t, rich } = useText();
  const { isProven, error, tryAgain } = useProof(token, onOver);
  const address = { address: <bdi key="address">{me.email}</bdi> };
  if (isProven)
    return (
      <>
        <output>
          <VisitorHeading
            icon={CircleCheck}
            tone="success"
            title={t({ id: 'recovery.proof.done', defaultMessage: 'Your address is confirmed' })}
          >
            {rich(
              { id: 'recovery.proof.doneText', defaultMessage: 'Invitations sent to {address} find you from now on.' },
              address,
            )}
          </VisitorHeading>
        </output>
        <Button size="md" fullWidth onClick={onOpen}>
          {t({ id: 'recovery.proof.open', defaultMessage: 'See organisations and invitations' })}
        </Button>
      </>
    );
  if (isProblem(error, 'auth.link-ended'))
    return (
      <>
        <VisitorHeading
          icon={Clock}
          tone="quiet"
          title={t({ id: 'recovery.ended.title', defaultMessage: 'This link no longer works' })}
        >
          {rich(
            {
              id: 'recovery.proof.ended',
              defaultMessage:
                'You are signed in as {address}. The link was made for another account, was replaced by a newer one, or has expired. Your profile sends you a new one.',
            },
            address,
          )}
        </VisitorHeading>
        <Button size="md" fullWidth onClick={onOpen}>
          {t({ id: 'recovery.proof.leave', defaultMessage: 'Open Parley' })}
        </Button>
      </>
    );
  return error ? (
    <>
      <ErrorNote error={error} />
      <Button size="md" fullWidth variant="default" onClick={tryAgain}>
        {t({ id: 'recovery.proof.again', defaultMessage: 'Try again' })}
      </Button>
    </>
  ) : null;
}

/** Sends it as soon as it is there; what came of it stays when the token is forgotten. */
function useProof(token: string, onOver: () => void) {
  const [isProven, setProven] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [tries, setTries] = useState(0);
  const isOver = isProven || isProblem(error, 'auth.link-ended');
  useEffect(() => {
    if (token === '') return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    api('POST /api/auth/address-proofs/redeem', { body: { token }, retries: 2, signal }).then(
      () => setProven(true),
      (reason: unknown) => signal.aborted || setError(reason),
    );
    return () => controller.abort();
  }, [token, tries]);
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  const tryAgain = () => {
    setError(null);
    setTries(tries + 1);
  };
  return { isProven, error, tryAgain };
}
