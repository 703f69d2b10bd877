import { z } from 'zod';
import { orgId, userId } from '../ids.ts';
import { defineEvent } from './define-event.ts';

export const userRegistered = defineEvent('user.registered.v1', 'auth', {
  data: z.object({ userId, platformAdmin: z.boolean() }),
  key: 'userId',
  live: null,
});
/** The session is named by the hash that principals carry. */
export const sessionCreated = defineEvent('session.created.v1', 'auth', {
  data: z.object({ userId, sessionKey: z.string(), defaultOrgId: orgId.nullable() }),
  key: 'userId',
  live: null,
});
/** Sockets of the session are closed, by revocation; `sessionKey` null means every session of the person. */
export const sessionRevoked = defineEvent('session.revoked.v1', 'auth', {
  data: z.object({
    userId,
    sessionKey: z.string().nullable(),
    reason: z.enum(['signed-out', 'signed-out-everywhere']),
  }),
  key: 'userId',
  live: null,
});

export const authEvents = { userRegistered, sessionCreated, sessionRevoked };
