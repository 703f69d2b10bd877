import { api, isProblem } from '../../lib/http.ts';
import { endSession, setLeaving } from './session.ts';

/** Signs out by one's own wish. Rejects, and all stays as it is, when the server could not do it. */
export async function leaveSession(
  route: 'DELETE /api/auth/sessions/current' | 'DELETE /api/auth/sessions',
): Promise<void> {
  setLeaving(true);
  try {
    await api(route, { retries: 2 }).catch((error: unknown) => {
      if (!isProblem(error, 'platform.unauthenticated')) throw error;
    });
    endSession(null);
  } finally {
    setLeaving(false);
  }
}

let asking: Promise<void> | null = null;

/**
 * Asks auth whether the session holds, and ends it in this tab where auth says that it is over. Other services may refuse
 * a request for reasons of their own; who can't reach auth stays signed in.
 */
export function askWhetherSignedIn({ retries = 2 }: { readonly retries?: number } = {}): Promise<void> {
  asking ??= api('GET /api/auth/me', { retries })
    .then(
      () => undefined,
      (error: unknown) => {
        if (isProblem(error, 'platform.unauthenticated')) endSession(error.problem.sessionEnd ?? null);
      },
    )
    .finally(() => (asking = null));
  return asking;
}

const checkEveryMs = 5_000;
let checkedAt = 0;

/** As `askWhetherSignedIn`, once and at most every 5 s. */
export async function checkSession(): Promise<void> {
  if (Date.now() - checkedAt < checkEveryMs) return;
  checkedAt = Date.now();
  await askWhetherSignedIn({ retries: 0 });
}
