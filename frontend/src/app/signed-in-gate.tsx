import { useEffect } from 'react';
import { lazyPart } from '../lib/lazy-part.tsx';
import { loadSession, useSession } from '../domain/session/session.ts';
import { loadSignedIn } from './load-signed-in.ts';
import { UnreachablePage } from './unreachable-page.tsx';

const retrySession = () => void loadSession();
const TurnedAway = lazyPart(async () => (await import('./turned-away.tsx')).TurnedAway);
const SignedIn = lazyPart(async () => (await loadSignedIn()).SignedIn);

/** All pages but those of visitors are behind it. */
export function SignedInGate() {
  const session = useSession();
  useEffect(() => {
    if (session.status === 'unknown') void loadSession();
  }, [session.status]);
  if (session.status === 'unknown') return null;
  if (session.status === 'failed') return <UnreachablePage error={session.error} onRetry={retrySession} />;
  if (session.status === 'visitor') return <TurnedAway isOwnWish={session.hasLeft ?? false} />;
  return <SignedIn me={session.me} />;
}
