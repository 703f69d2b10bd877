import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { apiKeyId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { keyPermissions } from '../../permissions.ts';
import { locale } from '../../people.ts';
import { plainName } from '../../plain-text.ts';
import { knownPermissions, permission } from '../../roles.ts';

/** No key works for longer. */
export const longestKeyDays = 366;
/** Every key begins with it: by this scanners of repositories and logs find one that got lost. */
export const keyStart = 'plk_';

const person = z.strictObject({ userId, name: z.string() });
const keyName = plainName(60);
const reason = plainName(300);

/**
 * A key of one person for one organisation. It can do what it was given, as far as its owner still can. Without the
 * secret, which nobody sees again.
 */
export const apiKey = z.strictObject({
  id: apiKeyId,
  owner: person,
  name: keyName,
  /** The first signs of the secret, to know it by. */
  prefix: z.string(),
  permissions: z.array(permission).readonly(),
  createdAt: timestamp,
  /** When it stops working, or has. */
  endsAt: timestamp,
  /** Within a minute; null while nobody has used it. */
  lastUsedAt: timestamp.nullable(),
  /** The network of the last use (/24, /64 of IPv6). */
  lastUsedFrom: z.string().nullable(),
  /** Null while it works. `left`: its owner has left the organisation. `by` is who revoked it. */
  ended: z
    .strictObject({ how: z.enum(['expired', 'revoked', 'left']), by: person.nullable(), reason: z.string().nullable() })
    .nullable(),
});
export type ApiKey = z.infer<typeof apiKey>;

const auth = { service: 'auth', scope: 'organisation' } as const;
const own = { ...auth, permission: 'apikey:manage_own' } as const;
const all = { ...auth, permission: 'apikey:manage_org' } as const;
const one = z.strictObject({ apiKeyId });

/** One's own in this organisation: those that work, the latest end first, then those that ended in the last 90 days. */
export const listMyApiKeys = defineRoute({
  ...own,
  route: 'GET /api/auth/my-api-keys',
  cost: 'read',
  query: pageQuery,
  response: pageOf(apiKey),
});

/**
 * Only rights that one has (`org.beyond-own-rights`). The secret is in this answer and nowhere else afterwards: whoever
 * repeats it with the same id gets the key with `secret` null, and makes another one. `endsAt` is in the future, and 366
 * days away at most. When the person's quota `apiKeys` is full: `auth.api-keys-full`.
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

/** Ends a key of one's own within a second. Repeating it is harmless; 404 `platform.not-found` for anybody else's. */
export const revokeMyApiKey = defineRoute({
  ...own,
  route: 'DELETE /api/auth/my-api-keys/:apiKeyId',
  cost: 'write',
  status: 204,
  params: one,
});

/** Everybody's in this organisation, in the order of `listMyApiKeys`. `text` finds by the start of any word of the owner's name. */
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
 * Ends anybody's key within a second, also one that can do more than oneself: whoever sees that one got lost ends it. The
 * reason stands in the audit log, and its owner reads it. Repeating it is harmless.
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
 * Key to person and organisation, for the BFF, with the network it comes from. 404 `platform.not-found` where there is no
 * such key or it has ended, which `detail` says.
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

/** Of the key itself its name and rights: org writes them into its audit log. */
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
/** `by` is null where its owner has left. */
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

/** Limits how many keys are looked up together. */
export const mostKeysTogether = 500;

/** Returns which of these hashes are those of keys, ended ones too: the BFF sorts out what is made up. */
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
