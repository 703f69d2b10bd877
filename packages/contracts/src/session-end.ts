import { z } from 'zod';

/**
 * Why somebody has ended a session; `signed-out` also when the same browser signed in anew, or a further one when there
 * were `limits.sessions`; `ended-by-you` from the list of one's sessions.
 */
export const revokedBecause = z.enum(['signed-out', 'signed-out-everywhere', 'password-changed', 'ended-by-you']);

/** How a session came to its end, for whoever still has a tab of it open. */
export const sessionEnd = z.enum([...revokedBecause.options, 'expired']);
export type SessionEnd = z.infer<typeof sessionEnd>;
