import { api, isProblem } from './http.ts';
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

const checkEveryMs = 5_000;
let checkedAt = 0;

/** Whether the session still holds, at most once in 5 s: whoever cannot reach the server stays as they are. */
export async function checkSession(): Promise<void> {
  if (Date.now() - checkedAt < checkEveryMs) return;
  checkedAt = Date.now();
  await api('GET /api/auth/me', { retries: 0 }).catch((error: unknown) => {
    if (isProblem(error, 'platform.unauthenticated')) endSession(error.problem.sessionEnd ?? null);
  });
}
