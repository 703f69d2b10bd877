import { locale, pictureId, platformRole } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

export const userRows = collection(
  'users',
  {
    _id: userId,
    email: z.string(),
    /** When a token that was mailed to the address came back. */
    provenAt: z.date().nullable(),
    name: z.string(),
    picture: pictureId.nullable(),
    locale,
    timeZone: z.string().nullable(),
    platformRole: platformRole.nullable(),
    /** The organisation by whose invitation the person registered, null without one; absent in rows of earlier versions. */
    invitedBy: orgId.nullable().optional(),
    createdAt: z.date(),
    version: z.number(),
  },
  {
    tenant: { person: '_id' },
    indexes: [
      [{ email: 1 }, { unique: true }],
      [{ platformRole: 1, _id: 1 }, { partialFilterExpression: { platformRole: 'admin' } }],
    ],
  },
);

/** Apart from the user, so that no read of a user can carry the hash along. */
export const credentialRows = collection(
  'credentials',
  { _id: userId, passwordHash: z.string(), changedAt: z.date() },
  { tenant: { person: '_id' } },
);

/** Exists once the first platform admin has registered: its unique id makes the setup link single-use. */
export const setupRows = collection(
  'setup',
  { _id: z.literal('platform-admin'), userId, at: z.date() },
  { tenant: 'platform' },
);
