import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { pictureId } from '../../ids.ts';
import { emailAddress, givenPassword, locale, newPassword, personName, timeZone } from '../../people.ts';
import { platformRole } from '../../roles.ts';
import { revokedBecause } from '../../session-end.ts';

export * from './address-proofs.ts';
export * from './api-keys.ts';
export * from './mails.ts';
export * from './pictures.ts';
export * from './recovery.ts';
export * from './security-log.ts';
export * from './sessions.ts';

/** The signed-in person, as that person sees it. */
export const me = z.strictObject({
  id: userId,
  email: z.string(),
  /** True if the email address is verified. */
  isProven: z.boolean(),
  name: z.string(),
  /** Null: initials are shown. */
  picture: pictureId.nullable(),
  locale,
  /** The time zone for times on screen; null: that of the browser. */
  timeZone: z.string().nullable(),
  platformRole: platformRole.nullable(),
  mayCreateOrganisations: z.boolean(),
  /** The organisation of a tab without `?org=`. */
  defaultOrgId: orgId.nullable(),
  version: z.number().int(),
});
export type Me = z.infer<typeof me>;

/** Tells visitors how to get an account. */
export const registrationInfo = z.strictObject({
  mode: z.enum(['closed', 'invitation', 'open']),
  /** True while no platform admin exists: registering needs the setup link that was printed at the start. */
  setupPending: z.boolean(),
  /** Names of platform admins to ask in mode `invitation` or `closed`, never their addresses. */
  contacts: z.array(z.string()),
});
export type RegistrationInfo = z.infer<typeof registrationInfo>;

export const getRegistration = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/registration',
  scope: 'public',
  cost: 'read',
  response: registrationInfo,
});

/** Creates the account and signs in. With the setup token the person becomes platform admin in every mode. */
export const register = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/users',
  scope: 'public',
  cost: 'secret',
  status: 201,
  session: 'starts',
  body: z.strictObject({
    id: userId,
    email: emailAddress,
    name: personName,
    password: newPassword,
    locale,
    setupToken: z.string().max(200).optional(),
    /** The secret of an invitation. While the invitation is open, its address can register in mode `invitation` too. */
    invitation: z.string().max(200).optional(),
  }),
  response: me,
});

export const signIn = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/sessions',
  scope: 'public',
  cost: 'sign-in',
  status: 201,
  session: 'starts',
  body: z.strictObject({ email: z.string().trim().toLowerCase().max(254), password: givenPassword }),
  response: me,
});

export const signOut = defineRoute({
  service: 'auth',
  route: 'DELETE /api/auth/sessions/current',
  scope: 'person',
  cost: 'write',
  status: 204,
  session: 'ends',
});

/** Ends every session of the person, including this one. Sockets and open tabs lose access within a second. */
export const signOutEverywhere = defineRoute({
  service: 'auth',
  route: 'DELETE /api/auth/sessions',
  scope: 'person',
  cost: 'write',
  status: 204,
  session: 'ends',
});

export const getMe = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/me',
  scope: 'person',
  cost: 'read',
  response: me,
});

/**
 * Changes the person's own profile. 409 `platform.conflict` with the current state if the version is old. `picture` is
 * an upload that is still kept (`uploadPicture`), else 404 `platform.not-found`; null removes it.
 */
export const updateMe = defineRoute({
  service: 'auth',
  route: 'PATCH /api/auth/me',
  scope: 'person',
  cost: 'write',
  body: z.strictObject({
    version: z.number().int(),
    name: personName.optional(),
    picture: pictureId.nullable().optional(),
    locale: locale.optional(),
    timeZone: timeZone.nullable().optional(),
  }),
  response: me,
});

/** Sets the default organisation. It doesn't change the tab's organisation, which comes with each request. */
export const chooseDefaultOrganisation = defineRoute({
  service: 'auth',
  route: 'PUT /api/auth/sessions/current/default-organisation',
  scope: 'person',
  cost: 'write',
  status: 204,
  body: z.strictObject({ orgId }),
});

/**
 * Returns the person of a session id, for the BFF. 404 `platform.not-found` if no live session has this id;
 * `sessionEnd` says if it expired.
 */
export const resolveSession = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/sessions/resolve',
  scope: 'internal',
  body: z.strictObject({ sessionId: z.string().max(200) }),
  response: z.strictObject({
    me,
    sessionKey: z.string(),
    signedInAt: timestamp,
    /**
     * When the password was last entered in the session; missing if that was at sign-in, or if an earlier version
     * answers.
     */
    confirmedAt: timestamp.optional(),
  }),
});

/** Returns a person as other services store a copy. `version` grows with each change. 404 `platform.not-found`. */
export const getPerson = defineRoute({
  service: 'auth',
  route: 'GET /internal/auth/users/:userId',
  scope: 'internal',
  params: z.strictObject({ userId }),
  response: z.strictObject({
    userId,
    name: z.string(),
    picture: pictureId.nullable(),
    email: z.string(),
    /** True if the email address is verified. */
    isProven: z.boolean(),
    /** Missing in responses of an earlier version. */
    createdAt: timestamp.optional(),
    /** The organisation that invited the person, null without invitation; missing for accounts of earlier versions. */
    invitedBy: orgId.nullable().optional(),
    locale,
    version: z.number().int(),
  }),
});

/**
 * Returns whether an account has this address, for a service to which somebody shows a secret that was emailed to this
 * address.
 */
export const knowsAddress = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/users/known',
  scope: 'internal',
  body: z.strictObject({ email: emailAddress }),
  response: z.strictObject({ isKnown: z.boolean() }),
});

/**
 * A revoked session, person, member or organisation, which no longer has access. `sequence` grows by one and is the
 * cursor.
 */
export const revocation = z.strictObject({
  sequence: z.number().int(),
  kind: z.enum(['session', 'user', 'membership', 'organisation']),
  /**
   * The revoked subject, by kind: `sessionKey` (also the id of an API key), user id, `orgId/userId`, or organisation
   * id.
   */
  subject: z.string(),
  /** Principals with a lower version of permissions are invalid; null: all principals of the subject are. */
  rightsVersion: z.number().int().nullable(),
  /** For a session: who ended it, and how. */
  reason: revokedBecause.optional(),
});
export type Revocation = z.infer<typeof revocation>;

/** The feed by which auth and org, the owners of permissions, publish what they revoked. */
export const revocationFeed = {
  scope: 'internal',
  /** Without `after`: only the newest sequence, to start from. */
  query: z.strictObject({ after: z.coerce.number().int().min(0).optional() }),
  response: z.strictObject({ items: z.array(revocation), cursor: z.number().int() }),
} as const;

export const listAuthRevocations = defineRoute({
  ...revocationFeed,
  service: 'auth',
  route: 'GET /internal/auth/revocations',
});

export const userRegistered = defineEvent('user.registered.v1', 'auth', {
  data: z.object({ userId, platformAdmin: z.boolean() }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});
/** A person's name, picture, address or language changed. Services with a copy ask for it (`getPerson`). */
export const userUpdated = defineEvent('user.updated.v1', 'auth', {
  data: z.object({ userId, version: z.number().int() }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});
/** A person signed in. The event names the session by the hash that principals have. */
export const sessionCreated = defineEvent('session.created.v1', 'auth', {
  data: z.object({ userId, sessionKey: z.string(), defaultOrgId: orgId.nullable() }),
  key: 'userId',
  live: { room: 'person', resources: ['sessions'] },
  audit: ({ userId: by }) => ({
    act: 'member.signed-in',
    by,
    target: { of: 'person', id: by, name: null },
    in: { memberOf: by },
  }),
});
/** A session was revoked, and its sockets close. `sessionKey` null: every session of the person. */
export const sessionRevoked = defineEvent('session.revoked.v1', 'auth', {
  data: z.object({ userId, sessionKey: z.string().nullable(), reason: revokedBecause }),
  key: 'userId',
  live: { room: 'person', resources: ['sessions'] },
  audit: "A person's own account: their security log has it.",
});

export const authRoutes = {
  getRegistration,
  register,
  signIn,
  signOut,
  signOutEverywhere,
  getMe,
  updateMe,
  chooseDefaultOrganisation,
  resolveSession,
  getPerson,
  knowsAddress,
  listAuthRevocations,
};
