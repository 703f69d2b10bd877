import { defineEvent, defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { recoveryId } from '../../ids.ts';
import { emailAddress, givenPassword, locale, newPassword } from '../../people.ts';

/** As the link carries it. What cannot be one is answered like one that has ended. */
const linkToken = z.string().min(1).max(200);

/** How one gets a new password here. */
export const getRecovery = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/password-resets',
  scope: 'public',
  cost: 'read',
  response: z.strictObject({
    /** Whether there is a mail server; else one of `contacts` hands the link over. */
    sendsMail: z.boolean(),
    /** Names of platform admins, never addresses. */
    contacts: z.array(z.string()),
  }),
});

/**
 * Has a link mailed by which a new password can be set. The answer is the same for every address and comes before it is
 * looked up; `endsAt` is when such a link would end. Asked for again, only the newest link works.
 */
export const requestPasswordReset = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/password-resets',
  scope: 'public',
  cost: 'outbound',
  status: 202,
  body: z.strictObject({ email: emailAddress, locale }),
  response: z.strictObject({ endsAt: timestamp }),
});

/** Whose password the link sets, and until when. 410 `auth.link-ended` whatever is wrong with it. */
export const checkPasswordReset = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/password-resets/check',
  scope: 'public',
  cost: 'secret',
  body: z.strictObject({ token: linkToken }),
  response: z.strictObject({ email: z.string(), endsAt: timestamp }),
});

/** What a changed password ends: the sessions of other browsers. */
const passwordSet = z.strictObject({ endedSessions: z.number().int() });

/**
 * Sets the password by the link, once, and signs in; every other session of the person ends. 410 `auth.link-ended`
 * whatever is wrong with the link.
 */
export const resetPassword = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/password-resets/redeem',
  scope: 'public',
  cost: 'secret',
  session: 'starts',
  body: z.strictObject({ token: linkToken, password: newPassword }),
  response: passwordSet,
});

/**
 * Changes the own password; every session but this one ends. A wrong present one is 422 `auth.password-wrong`, ten of
 * them in a quarter of an hour 429.
 */
export const changePassword = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/password',
  scope: 'person',
  cost: 'secret',
  body: z.strictObject({ current: givenPassword, password: newPassword }),
  response: passwordSet,
});

/** Somebody has asked for a link; whether there is such an account is looked up by who handles it. */
export const recoveryRequested = defineEvent('recovery.requested.v1', 'auth', {
  data: z.object({ recoveryId }),
  key: 'recoveryId',
  live: null,
  audit: "A person's own account: their security log has it.",
});
/** Every session of the person but one has ended with it. */
export const passwordChanged = defineEvent('password.changed.v1', 'auth', {
  data: z.object({ userId, by: z.enum(['link', 'password']) }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});

export const recoveryRoutes = { getRecovery, requestPasswordReset, checkPasswordReset, resetPassword, changePassword };
