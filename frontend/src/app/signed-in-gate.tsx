import { useEffect } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { lazyPart } from '../lib/lazy-part.tsx';
import { loadSession, useSession } from '../lib/session.ts';
import { loadSignedIn } from './load-signed-in.ts';
import { Texts } from './locale-gate.tsx';
import { pageOf, useLocale, usePaths } from '../lib/paths.ts';
import { UnreachablePage } from './unreachable-page.tsx';

const retrySession = () => void loadSession();
const NotFoundPage = lazyPart(async () => (await import('./not-found-page.tsx')).NotFoundPage);
const SignedIn = lazyPart(async () => (await loadSignedIn()).SignedIn);

/** Visitors go to sign-in and come back to this address afterwards. */
export function SignedInGate() {
  const session = useSession();
  const locale = useLocale();
  const paths = usePaths();
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    if (session.status === 'unknown') void loadSession();
  }, [session.status]);
  if (session.status === 'unknown') return null;
  if (session.status === 'failed') return <UnreachablePage error={session.error} onRetry={retrySession} />;
  if (session.status === 'visitor') {
    if (!pageOf(pathname)) return <NotFoundPage standalone />;
    return <Navigate replace to={`${paths.root}?next=${encodeURIComponent(pathname + search + hash)}`} />;
  }
  return (
    <Texts locale={locale} parts={['first', 'app']}>
      <SignedIn me={session.me} />
    </Texts>
  );
}
