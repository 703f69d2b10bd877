import { orgId, userId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * What a person has used in a month: the sum of the entries of that month, written in the transaction of each. Attempts,
 * tokens and `costMicros` are of the month in UTC.
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
    /** What its entries have cost by the days of the budgets' time zone; by those of UTC as far as `utcMicros` goes. */
    moneyMicros: z.number(),
    /** The part of `moneyMicros` that was added up by days of UTC: by earlier versions, or while the zone was unknown. */
    utcMicros: z.number(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, month: 1, moneyMicros: -1, _id: -1 }] },
);
export type SpendPersonRow = RowOf<typeof spendPersonRows>;
