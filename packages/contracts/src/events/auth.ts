import { z } from 'zod';
import { orgId, userId } from '../ids.ts';
import { defineEvent, topics } from './define-event.ts';

/** Key: user id. */
export const userRegistered = defineEvent('user.registered.v1', topics.auth, z.object({ userId, platformAdmin: z.boolean() }));
/** Key: user id. The session is named by the hash that principals carry. */
export const sessionCreated = defineEvent('session.created.v1', topics.auth, z.object({ userId, sessionKey: z.string(), defaultOrgId: orgId.nullable() }));
/** Key: user id. Sockets of the session are closed; `sessionKey` null means every session of the person. */
export const sessionRevoked = defineEvent('session.revoked.v1', topics.auth, z.object({ userId, sessionKey: z.string().nullable(), reason: z.enum(['signed-out', 'signed-out-everywhere']) }));

export const authEvents = { userRegistered, sessionCreated, sessionRevoked };
