import { errorGroupId, errorTestId, errorTestKind, failing } from '@parley/contracts';
import { userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** An error that somebody asked for: who and when, and what became of it. */
export const errorTestRows = collection(
  'error_tests',
  {
    _id: errorTestId,
    userId,
    userName: z.string(),
    kind: errorTestKind,
    at: z.date(),
    traceId: z.string(),
    arrived: z
      .strictObject({
        failedAt: z.date(),
        receivedAt: z.date(),
        eventId: z.string(),
        deployable: failing,
        groupId: errorGroupId,
      })
      .nullable(),
  },
  {
    tenant: { person: 'userId' },
    indexes: [{ userId: 1, at: -1 }, [{ at: 1 }, { expireAfterSeconds: 30 * 24 * 3600 }]],
  },
);
export type ErrorTestRow = RowOf<typeof errorTestRows>;
