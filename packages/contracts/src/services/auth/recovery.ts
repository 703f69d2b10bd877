import { defineEvent, defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { recoveryId } from '../../ids.ts';
import { emailAddress, givenPassword, locale, newPassword } from '../../people.ts';

/** The token of a link. A malformed one gets the same answer as an expired one. */
const linkToken = z.string().min(1).max(200);

/** Tells visitors how to get a new password. */
export const getRecovery = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/password-resets',
  scope: 'public',
  cost: 'read',
  response: z.strictObject({
    /** True if there is a mail server. Without one the `contacts` pass the link on. */
    sendsMail: z.boolean(),
    /** Names of platform admins, never addresses. */
    contacts: z.array(z.string()),
  }),
});

/**
 * Sends a link for a new password. The response is the same for every address, because it is sent before the address is
 * looked up. `endsAt`: when such a link would expire. Only the newest link works.
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

/** Returns whose password the link sets, and until when. 410 `auth.link-ended` for any link that doesn't work. */
export const checkPasswordReset = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/password-resets/check',
  scope: 'public',
  cost: 'secret',
  body: z.strictObject({ token: linkToken }),
  response: z.strictObject({ email: z.string(), endsAt: timestamp }),
});

/** Counts the sessions in other browsers that the new password ended. */
const passwordSet = z.strictObject({ endedSessions: z.number().int() });

/**
 * Sets the password by a link, once, and signs in. Every other session of the person ends. 410 `auth.link-ended` for
 * any link that doesn't work.
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
 * Changes the person's own password and ends every other session. 422 `auth.password-wrong` if the current password is
 * wrong; 429 after ten wrong ones in a quarter of an hour.
 */
export const changePassword = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/password',
  scope: 'person',
  cost: 'secret',
  body: z.strictObject({ current: givenPassword, password: newPassword }),
  response: passwordSet,
});

/** Someone asked for a link for a new password. The handler looks up whether the address has an account. */
export const recoveryRequested = defineEvent('recovery.requested.v1', 'auth', {
  data: z.object({ recoveryId }),
  key: 'recoveryId',
  live: null,
  audit: "A person's own account: their security log has it.",
});
/** A password was changed, which ended every session of the person except the one that changed it. */
export const passwordChanged = defineEvent('password.changed.v1', 'auth', {
  data: z.object({ userId, by: z.enum(['link', 'password']) }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});

export const recoveryRoutes = { getRecovery, requestPasswordReset, checkPasswordReset, resetPassword, changePassword };
