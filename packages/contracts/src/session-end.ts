import { z } from 'zod';

/** Why somebody has ended a session; `signed-out` also when the same browser signed in anew. */
export const revokedBecause = z.enum(['signed-out', 'signed-out-everywhere', 'password-changed']);

/** How a session came to its end, for whoever still has a tab of it open. */
export const sessionEnd = z.enum([...revokedBecause.options, 'expired']);
export type SessionEnd = z.infer<typeof sessionEnd>;
