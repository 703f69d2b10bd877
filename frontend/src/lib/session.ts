import type { Me } from '@parley/contracts';
import { useSyncExternalStore } from 'react';
import { api, isProblem } from './http.ts';

export type Session =
  | { status: 'unknown' }
  | { status: 'visitor' }
  | { status: 'signed-in'; me: Me }
  | { status: 'failed'; error: unknown };

// One store outside the query cache: the visitor pages need it and load no query library.
let session: Session = { status: 'unknown' };
let loading: Promise<void> | null = null;
const listeners = new Set<() => void>();

export function setSession(next: Session): void {
  session = next;
  for (const listener of listeners) listener();
}

export const currentSession = (): Session => session;

/** The server saw no session with the page: nobody needs to be asked who is signed in. */
export const arrivesAsVisitor = document.documentElement.dataset['visitor'] === 'yes';
let isFirst = true;

/** Asks once who is signed in; later calls share the answer. */
export function loadSession(): Promise<void> {
  const isKnown = isFirst && arrivesAsVisitor;
  isFirst = false;
  if (isKnown) {
    setSession({ status: 'visitor' });
    return Promise.resolve();
  }
  loading ??= api('GET /api/auth/me')
    .then((me) => setSession({ status: 'signed-in', me }))
    .catch((error: unknown) =>
      setSession(isProblem(error, 'platform.unauthenticated') ? { status: 'visitor' } : { status: 'failed', error }),
    )
    .finally(() => {
      loading = null;
    });
  return loading;
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
