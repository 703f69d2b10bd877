import { z } from 'zod';

/**
 * Why a session was ended; `signed-out` also when the same browser signed in again, or when a sign-in exceeded
 * `limits.sessions`; `ended-by-you` from the list of one's sessions.
 */
export const revokedBecause = z.enum(['signed-out', 'signed-out-everywhere', 'password-changed', 'ended-by-you']);

/** How a session came to its end, for whoever still has a tab of it open. */
export const sessionEnd = z.enum([...revokedBecause.options, 'expired']);
export type SessionEnd = z.infer<typeof sessionEnd>;
