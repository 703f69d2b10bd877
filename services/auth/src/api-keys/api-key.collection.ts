import { apiKeyId, permission } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const dayMs = 24 * 3_600_000;
/** How long one can read of a key that has ended. */
const keptMs = 90 * dayMs;

export const apiKeyRows = collection(
  'api_keys',
  {
    _id: apiKeyId,
    orgId,
    userId,
    /** A copy of the owner's name, with the words by which lists find it. */
    ownerName: z.string(),
    ownerWords: z.array(z.string()),
    name: z.string(),
    /** The store alone opens nothing. */
    secretHash: z.string(),
    prefix: z.string(),
    permissions: z.array(permission),
    createdAt: z.date(),
    /** Its expiry, or when it was revoked. */
    endsAt: z.date(),
    lastUsedAt: z.date().nullable(),
    lastUsedFrom: z.string().nullable(),
    /** Null also for one that has expired. */
    revoked: z
      .strictObject({ by: userId.nullable(), byName: z.string().nullable(), reason: z.string().nullable() })
      .nullable(),
  },
  {
    tenant: { organisation: 'orgId', person: 'userId' },
    indexes: [
      [{ secretHash: 1 }, { unique: true }],
      { orgId: 1, endsAt: -1, _id: -1 },
      { orgId: 1, userId: 1, endsAt: -1, _id: -1 },
      { orgId: 1, ownerWords: 1 },
      { userId: 1 },
      [{ endsAt: 1 }, { expireAfterSeconds: keptMs / 1000 }],
    ],
    keys: ['secretHash', 'ownerWords'],
  },
);
export type ApiKeyRow = ReadOf<typeof apiKeyRows>;
export type NewApiKeyRow = RowOf<typeof apiKeyRows>;
