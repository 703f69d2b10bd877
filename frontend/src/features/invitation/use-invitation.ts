import type { InvitationView, Organisation } from '@parley/contracts';
import { useEffect, useState } from 'react';
import { api } from '../../lib/http.ts';

export type Invitation = {
  readonly view: InvitationView | null;
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly join: () => void;
  readonly decline: () => void;
  readonly hasDeclined: boolean;
};

/** How often a page that waits, for a seat or the end of a suspension, looks whether it can go on. */
const waitingMs = 20_000;

/** What the secret of a link is good for: for the person who is signed in, else for whoever holds it. */
export function useInvitation(
  token: string,
  isSignedIn: boolean,
  onJoined: (organisation: Organisation) => void,
): Invitation {
  const [view, setView] = useState<InvitationView | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [hasDeclined, setDeclined] = useState(false);
  const [looks, setLooks] = useState(0);
  const isWaiting = view?.state === 'seats-full' || view?.state === 'suspended';
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setLooks(looks + 1), waitingMs);
    return () => clearTimeout(timer);
  }, [isWaiting, looks]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const body = { token };
    const asked = isSignedIn
      ? api('POST /api/org/my-invitations/view', { body, signal, retries: 2 })
      : api('POST /api/org/invitations/view', { body, signal, retries: 2 });
    asked.then(setView, (reason: unknown) => signal.aborted || setError(reason));
    return () => controller.abort();
  }, [token, isSignedIn, looks]);
  const act = <Result>(call: () => Promise<Result>, then: (result: Result) => void) => {
    setBusy(true);
    setError(null);
    call()
      .then(then, setError)
      .finally(() => setBusy(false));
  };
  return {
    view,
    error,
    isBusy,
    join: () => act(() => api('POST /api/org/my-invitations/accept', { body: { token }, retries: 2 }), onJoined),
    decline: () =>
      act(
        () => api('POST /api/org/invitations/decline', { body: { token }, retries: 2 }),
        () => setDeclined(true),
      ),
    hasDeclined,
  };
}
