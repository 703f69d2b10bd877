import type { Me, SessionEnd } from '@parley/contracts';
import { useSyncExternalStore } from 'react';
import { api, isProblem } from '../../lib/http.ts';

/** How a session ended, and when, of which this tab knew; null where nobody has told. */
export type Ended = { how: SessionEnd | null; at: number | null };

export type Session =
  | { status: 'unknown' }
  /** `ended`: not by this tab. `hasLeft`: by a click on signing out, so nobody wants to come back to the page. */
  | { status: 'visitor'; ended?: Ended; hasLeft?: boolean }
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
    .catch((error: unknown) => {
      if (!isProblem(error, 'platform.unauthenticated')) return setSession({ status: 'failed', error });
      // An old cookie of which nobody knows anything is a visitor like any other.
      const how = error.problem.sessionEnd ?? null;
      if (how || session.status === 'signed-in') endSession(how);
      else setSession({ status: 'visitor' });
    })
    .finally(() => {
      loading = null;
    });
  return loading;
}

let isLeaving = false;

/** While it is true, the end of the session is what one asked for. */
export function setLeaving(next: boolean): void {
  isLeaving = next;
}

/** Nobody is signed in any more. Who is told several times keeps the first time, and how once somebody knows it. */
export function endSession(how: SessionEnd | null, at: number | null = null): void {
  if (isLeaving) return setSession({ status: 'visitor', hasLeft: true });
  if (session.status !== 'visitor') return setSession({ status: 'visitor', ended: { how, at } });
  const { ended } = session;
  if (ended) setSession({ status: 'visitor', ended: { how: ended.how ?? how, at: ended.at ?? at } });
}

export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
