import { orgId, userId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * What a person has used in a month of UTC: the sum of the entries of that month, written in the transaction of each.
 * `<orgId>/<month>/<userId>` is the id.
 */
export const spendPersonRows = collection(
  'spend_people',
  {
    _id: z.string(),
    orgId,
    month: z.string(),
    userId,
    attempts: z.number(),
    unpricedAttempts: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    costMicros: z.number(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, month: 1, costMicros: -1, _id: -1 }] },
);
export type SpendPersonRow = RowOf<typeof spendPersonRows>;
