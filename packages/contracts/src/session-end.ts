import { z } from 'zod';

/**
 * Why a session ended. `signed-out`: also if the same browser signed in again, or if a further sign-in exceeded
 * `limits.sessions`. `ended-by-you`: from the person's list of sessions.
 */
export const revokedBecause = z.enum(['signed-out', 'signed-out-everywhere', 'password-changed', 'ended-by-you']);

/** How a session ended, as the server tells the session's open tabs. */
export const sessionEnd = z.enum([...revokedBecause.options, 'expired']);
export type SessionEnd = z.infer<typeof sessionEnd>;
