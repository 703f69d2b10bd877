import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { givenPassword } from '../../people.ts';
import { sessionEnd } from '../../session-end.ts';

/** The `sessionKey` of principals: a hash, by which nobody signs in. */
const sessionId = z.string().regex(/^[\w-]{43}$/, 'must be the id of a session');

const session = z.strictObject({
  id: sessionId,
  /** What the browser called itself at the sign-in; null where nobody has told. */
  userAgent: z.string().nullable(),
  /** Where the sign-in came from, as a network (/24, /64 of IPv6); null where nobody has told. */
  network: z.string().nullable(),
  createdAt: timestamp,
  /** Within a minute. */
  lastUsedAt: timestamp,
});

/** A session of one's own that lives. */
export const ownSession = session.extend({ isThis: z.boolean() });
export type OwnSession = z.infer<typeof ownSession>;

/** One that has ended in the last 30 days, by whom and how. */
export const endedSession = session.extend({ endedAt: timestamp, how: sessionEnd });
export type EndedSession = z.infer<typeof endedSession>;

/** This one first, then by last use; those that have ended: the newest end first. At most 100 of each. */
export const listSessions = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/sessions',
  scope: 'person',
  cost: 'read',
  response: z.strictObject({ items: z.array(ownSession), ended: z.array(endedSession) }),
});

/**
 * Ends a session of one's own other than this one, which is signed out instead; its tabs and sockets lose access within a
 * second. 404 `platform.not-found` for anybody else's; one that has ended stays as it is.
 */
export const endOtherSession = defineRoute({
  service: 'auth',
  route: 'DELETE /api/auth/other-sessions/:sessionId',
  scope: 'person',
  cost: 'write',
  status: 204,
  params: z.strictObject({ sessionId }),
});

/** Ends every session of one's own but this one. */
export const endOtherSessions = defineRoute({
  service: 'auth',
  route: 'DELETE /api/auth/other-sessions',
  scope: 'person',
  cost: 'write',
  response: z.strictObject({ endedSessions: z.number().int() }),
});

const confirmation = z.strictObject({
  /** So long this session opens what is sensitive; null: the password has to be entered first. */
  confirmedUntil: timestamp.nullable(),
});

/** Whether this session opens what is sensitive now: for ten minutes after a sign-in or an entered password. */
export const getConfirmation = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/confirm',
  scope: 'person',
  cost: 'read',
  response: confirmation,
});

/**
 * Enters the password once more in this session, which opens what is sensitive for ten minutes. A wrong one is 422
 * `auth.password-wrong`, ten of them in a quarter of an hour 429. Both are recorded in the security log.
 */
export const confirmSession = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/confirm',
  scope: 'person',
  cost: 'secret',
  body: z.strictObject({ password: givenPassword }),
  response: confirmation,
});

export const sessionRoutes = { listSessions, endOtherSession, endOtherSessions, getConfirmation, confirmSession };
