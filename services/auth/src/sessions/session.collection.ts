import { revokedBecause } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';
import { keptMs } from './session.ts';

const expireAfterSeconds = keptMs / 1000;

/** From which browser somebody signed in; null where nobody has told. */
const from = { userAgent: z.string().nullable(), network: z.string().nullable() };

/** Those that nobody has ended: they live, or have expired in the last 30 days. */
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
    /** When the password was last entered in it; absent: at its start. */
    confirmedAt: z.date().optional(),
    ...from,
  },
  {
    tenant: { person: 'userId' },
    indexes: [{ userId: 1, createdAt: -1 }, { userId: 1, idleUntil: 1 }, [{ idleUntil: 1 }, { expireAfterSeconds }]],
  },
);

/** Those that somebody has ended: apart, so that no query for a session can find one. */
export const endedSessionRows = collection(
  'ended_sessions',
  {
    _id: z.string(),
    userId,
    createdAt: z.date(),
    lastUsedAt: z.date(),
    endedAt: z.date(),
    reason: revokedBecause,
    ...from,
  },
  { tenant: { person: 'userId' }, indexes: [{ userId: 1, endedAt: -1 }, [{ endedAt: 1 }, { expireAfterSeconds }]] },
);
