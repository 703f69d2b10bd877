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

/** The signed-in person, as shown to that person. */
export const me = z.strictObject({
  id: userId,
  email: z.string(),
  /** A token that was mailed to the address has come back. */
  isProven: z.boolean(),
  name: z.string(),
  /** Null: initials stand in. */
  picture: pictureId.nullable(),
  locale,
  /** In which times are shown; null: that of the browser. */
  timeZone: z.string().nullable(),
  platformRole: platformRole.nullable(),
  mayCreateOrganisations: z.boolean(),
  /** Where a tab without `?org=` starts. */
  defaultOrgId: orgId.nullable(),
  version: z.number().int(),
});
export type Me = z.infer<typeof me>;

/** How one gets an account here, for the visitor pages. */
export const registrationInfo = z.strictObject({
  mode: z.enum(['closed', 'invitation', 'open']),
  /** No platform admin yet: registering needs the setup link that the start printed. */
  setupPending: z.boolean(),
  /** Whom to ask in mode `invitation` or `closed`: names of platform admins, never addresses. */
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

/** Makes the account and signs in. With the setup token the person becomes platform admin, whatever the mode. */
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
    /** The secret of an invitation: with one that is open, registering is for its address in mode `invitation` too. */
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

/** Ends every session of the person, this one too: sockets and running tabs lose access within a second. */
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
 * A version that is not the current one is 409 `platform.conflict` with the current state. `picture` is one that the
 * person has uploaded and that is still kept (`uploadPicture`), else 404 `platform.not-found`; null takes it away.
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

/** The session holds only the default organisation; the tab's organisation travels with each request. */
export const chooseDefaultOrganisation = defineRoute({
  service: 'auth',
  route: 'PUT /api/auth/sessions/current/default-organisation',
  scope: 'person',
  cost: 'write',
  status: 204,
  body: z.strictObject({ orgId }),
});

/**
 * Session id to person, for the BFF. 404 `platform.not-found` when there is no such live session; `sessionEnd` says that
 * it has expired.
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
    /** When the password was last entered in it; absent where that was at its sign-in, or an earlier version answers. */
    confirmedAt: timestamp.optional(),
  }),
});

/** A person as other services keep a copy of; `version` grows with each change. 404 `platform.not-found`. */
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
    /** Whether a token that was mailed to the address has come back. */
    isProven: z.boolean(),
    /** Absent where an earlier version answers. */
    createdAt: timestamp.optional(),
    /** By whose invitation the person registered, null without one; absent for accounts of earlier versions. */
    invitedBy: orgId.nullable().optional(),
    locale,
    version: z.number().int(),
  }),
});

/** Whether there is an account with this address, for a service that was shown a secret that was mailed to it. */
export const knowsAddress = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/users/known',
  scope: 'internal',
  body: z.strictObject({ email: emailAddress }),
  response: z.strictObject({ isKnown: z.boolean() }),
});

/** Something that was valid and is no more. `sequence` grows by one and is the cursor. */
export const revocation = z.strictObject({
  sequence: z.number().int(),
  kind: z.enum(['session', 'user', 'membership', 'organisation']),
  /** `sessionKey` (that of an API key, too), user id, `orgId/userId` or organisation id, by kind. */
  subject: z.string(),
  /** Principals with a lower rights version are void; null voids all of the subject. */
  rightsVersion: z.number().int().nullable(),
  /** Of a session: who has ended it, and how. */
  reason: revokedBecause.optional(),
});
export type Revocation = z.infer<typeof revocation>;

/** How each owner of rights (auth, org) tells the others what it has taken back. */
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
/** Name, picture, address or language have changed; whoever keeps a copy asks for it (`getPerson`). */
export const userUpdated = defineEvent('user.updated.v1', 'auth', {
  data: z.object({ userId, version: z.number().int() }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});
/** The session is named by the hash that principals carry. */
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
/** Sockets of the session are closed, by revocation; `sessionKey` null means every session of the person. */
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
