import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { apiKeyId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { keyPermissions } from '../../permissions.ts';
import { locale } from '../../people.ts';
import { plainName } from '../../plain-text.ts';
import { knownPermissions, permission } from '../../roles.ts';

/** Limits the life of an API key, in days. */
export const longestKeyDays = 366;
/** The first characters of every key, by which scanners of repositories and logs find lost keys. */
export const keyStart = 'plk_';

const person = z.strictObject({ userId, name: z.string() });
const keyName = plainName(60);
const reason = plainName(300);

/**
 * A key of one person for one organisation, without its secret. It can do what its permissions and those of its owner
 * both allow.
 */
export const apiKey = z.strictObject({
  id: apiKeyId,
  owner: person,
  name: keyName,
  /** The first characters of the secret, to recognise it. */
  prefix: z.string(),
  permissions: z.array(permission).readonly(),
  createdAt: timestamp,
  /** When the key stops working. */
  endsAt: timestamp,
  /** Exact to a minute; null if it was never used. */
  lastUsedAt: timestamp.nullable(),
  /** The network of the last use (/24, or /64 of IPv6). */
  lastUsedFrom: z.string().nullable(),
  /** Null while it works. `left`: its owner left the organisation. `by`: the person who revoked it. */
  ended: z
    .strictObject({ how: z.enum(['expired', 'revoked', 'left']), by: person.nullable(), reason: z.string().nullable() })
    .nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

const auth = { service: 'auth', scope: 'organisation' } as const;
const own = { ...auth, permission: 'apikey:manage_own' } as const;
const all = { ...auth, permission: 'apikey:manage_org' } as const;
const one = z.strictObject({ apiKeyId });

/**
 * Lists the person's own keys in this organisation: first those that work, latest end first, then those that ended in
 * the last 90 days.
 */
export const listMyApiKeys = defineRoute({
  ...own,
  route: 'GET /api/auth/my-api-keys',
  cost: 'read',
  query: pageQuery,
  response: pageOf(apiKey),
});

/**
 * Creates a key with permissions that the person has (else `org.beyond-own-rights`). Only this response has the secret:
 * a repeated call with the same id returns `secret` null. `endsAt` is in the future, at most 366 days from now.
 * `auth.api-keys-full` if the person's quota `apiKeys` is full.
 */
export const createApiKey = defineRoute({
  ...own,
  route: 'POST /api/auth/my-api-keys',
  cost: 'write',
  status: 201,
  body: z.strictObject({
    id: apiKeyId,
    name: keyName,
    permissions: z.array(z.enum(keyPermissions)).min(1).max(200),
    endsAt: timestamp,
  }),
  response: z.strictObject({ key: apiKey, secret: z.string().nullable() }),
});

/** Revokes one of the person's own keys within a second. Idempotent; 404 `platform.not-found` for any other. */
export const revokeMyApiKey = defineRoute({
  ...own,
  route: 'DELETE /api/auth/my-api-keys/:apiKeyId',
  cost: 'write',
  status: 204,
  params: one,
});

/**
 * Lists all keys in this organisation, in the order of `listMyApiKeys`. `text` matches the beginning of any word of the
 * owner's name.
 */
export const listApiKeys = defineRoute({
  ...all,
  route: 'GET /api/auth/api-keys',
  cost: 'read',
  query: pageQuery.extend({
    text: z.string().trim().min(1).max(100).optional(),
    state: z.enum(['working', 'ended']).optional(),
  }),
  response: pageOf(apiKey),
});

/**
 * Revokes anyone's key within a second, also one with more permissions than the person has, because a lost key must be
 * revoked by those who notice. The audit log has the reason, and the owner can read it. Idempotent.
 */
export const revokeApiKey = defineRoute({
  ...all,
  route: 'DELETE /api/auth/api-keys/:apiKeyId',
  cost: 'write',
  status: 204,
  params: one,
  query: z.strictObject({ reason }),
});

/**
 * Returns person and organisation of a key, for the BFF, which sends the network of the request. 404
 * `platform.not-found` if the key is unknown or has ended; `detail` says which.
 */
export const resolveApiKey = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/api-keys/resolve',
  scope: 'internal',
  body: z.strictObject({ secret: z.string().max(200), network: z.string().max(100) }),
  response: z.strictObject({
    apiKeyId,
    orgId,
    userId,
    name: z.string(),
    locale,
    permissions: knownPermissions,
    createdAt: timestamp,
    endsAt: timestamp,
  }),
});

/** An API key was created. Org writes its name and permissions into the audit log. */
export const apiKeyCreated = defineEvent('apikey.created.v1', 'auth', {
  data: z.object({ orgId, userId, apiKeyId, name: z.string(), permissions: knownPermissions, endsAt: timestamp }),
  key: 'userId',
  live: { room: 'organisation', resources: ['my-api-keys', 'api-keys'] },
  audit: ({ userId: by, apiKeyId: id, name, permissions, endsAt }) => ({
    act: 'api-key.created',
    by,
    target: { of: 'api-key', id, name },
    changes: changesBetween(null, {
      permissions: auditValues.permissions(permissions),
      expires: auditValues.time(endsAt),
    }),
  }),
  outside: ['userId', 'apiKeyId', 'permissions', 'endsAt'],
});
/** An API key was revoked. `by` is null if its owner left the organisation. */
export const apiKeyRevoked = defineEvent('apikey.revoked.v1', 'auth', {
  data: z.object({ orgId, userId, apiKeyId, name: z.string(), by: userId.nullable(), reason: z.string().nullable() }),
  key: 'userId',
  live: { room: 'organisation', resources: ['my-api-keys', 'api-keys'] },
  audit: ({ userId, apiKeyId: id, name, by, reason }) =>
    by && {
      act: 'api-key.revoked',
      by,
      target: { of: 'api-key', id, name },
      changes: changesBetween({ owner: auditValues.person(userId) }, null),
      reason,
    },
  outside: ['userId', 'apiKeyId', 'by'],
});

/** Limits how many keys are looked up in one request. */
export const mostKeysTogether = 500;

/** Returns the hashes that belong to keys, including ended ones. The BFF uses it to ignore invented keys. */
export const findApiKeys = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/api-keys/find',
  scope: 'internal',
  body: z.strictObject({ hashes: z.array(z.string().max(100)).max(mostKeysTogether) }),
  response: z.strictObject({ found: z.array(z.string()) }),
});

export const apiKeyRoutes = {
  listMyApiKeys,
  createApiKey,
  revokeMyApiKey,
  listApiKeys,
  revokeApiKey,
  resolveApiKey,
  findApiKeys,
};
