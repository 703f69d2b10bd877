import { orgId, userId } from '@parley/contracts';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

export const sessionRows = collection(
  'sessions',
  {
    /** The hash of the session id: the store alone signs nobody in. */
    _id: z.string(),
    userId,
    defaultOrgId: orgId.nullable(),
    createdAt: z.date(),
    idleUntil: z.date(),
    absoluteUntil: z.date(),
  },
  {
    tenant: { person: 'userId' },
    indexes: [{ userId: 1, createdAt: -1 }, [{ absoluteUntil: 1 }, { expireAfterSeconds: 0 }]],
  },
);
