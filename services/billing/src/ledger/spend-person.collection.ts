import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A row adds up what a person has used in a month, in the transaction of each entry.
 * Attempts, tokens and `costMicros` are of the month in UTC.
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
    /** Counts money by days of the budgets' time zone, except for the part in `utcMicros`. */
    moneyMicros: z.number(),
    /** Counts the part of `moneyMicros` that follows days in UTC: by earlier versions or without a zone. */
    utcMicros: z.number(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, month: 1, moneyMicros: -1, _id: -1 }] },
);
export type SpendPersonRow = RowOf<typeof spendPersonRows>;
