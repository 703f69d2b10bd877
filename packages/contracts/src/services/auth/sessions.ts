import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { givenPassword } from '../../people.ts';
import { sessionEnd } from '../../session-end.ts';

/** The `sessionKey` of principals: a hash, with which no one can sign in. */
const sessionId = z.string().regex(/^[\w-]{43}$/, 'must be the id of a session');

const session = z.strictObject({
  id: sessionId,
  /** The user agent at sign-in; null if unknown. */
  userAgent: z.string().nullable(),
  /** The network of the sign-in (/24, or /64 of IPv6); null if unknown. */
  network: z.string().nullable(),
  createdAt: timestamp,
  /** Within a minute. */
  lastUsedAt: timestamp,
});

/** A live session of the person. */
export const ownSession = session.extend({ isThis: z.boolean() });
export type OwnSession = z.infer<typeof ownSession>;

/** A session that ended in the last 30 days, with who ended it and how. */
export const endedSession = session.extend({ endedAt: timestamp, how: sessionEnd });
export type EndedSession = z.infer<typeof endedSession>;

/**
 * Lists the person's sessions: this one, then by last use; ended ones with the newest end first. At most 100 of each.
 */
export const listSessions = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/sessions',
  scope: 'person',
  cost: 'read',
  response: z.strictObject({ items: z.array(ownSession), ended: z.array(endedSession) }),
});

/**
 * Ends another session of the person; its tabs and sockets lose access within a second. This session is signed out
 * instead. 404 `platform.not-found` for sessions of others; an ended one stays as it is.
 */
export const endOtherSession = defineRoute({
  service: 'auth',
  route: 'DELETE /api/auth/other-sessions/:sessionId',
  scope: 'person',
  cost: 'write',
  status: 204,
  params: z.strictObject({ sessionId }),
});

/** Ends every session of the person except this one. */
export const endOtherSessions = defineRoute({
  service: 'auth',
  route: 'DELETE /api/auth/other-sessions',
  scope: 'person',
  cost: 'write',
  response: z.strictObject({ endedSessions: z.number().int() }),
});

const confirmation = z.strictObject({
  /** Until when this session opens sensitive routes; null: the password has to be entered first. */
  confirmedUntil: timestamp.nullable(),
});

/** Returns whether this session opens sensitive routes now: for ten minutes after a sign-in or an entered password. */
export const getConfirmation = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/confirm',
  scope: 'person',
  cost: 'read',
  response: confirmation,
});

/**
 * Checks the password in this session and opens sensitive routes for ten minutes. 422 `auth.password-wrong`; 429 after
 * ten wrong passwords in a quarter of an hour. The security log records right and wrong passwords.
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
