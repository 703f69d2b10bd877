import { orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * What an organisation has used of a model on one day: the sum of the entries of that day, written in the transaction of
 * each. Attempts, tokens and `costMicros` are of the day in UTC. `<orgId>/<day>/<model>` is the id.
 */
export const spendDayRows = collection(
  'spend_days',
  {
    _id: z.string(),
    orgId,
    day: z.iso.date(),
    model: z.string(),
    /** Of the model server that was asked last; null for the built-in assistant. Absent in rows of before prices were shown. */
    host: z.string().nullable(),
    attempts: z.number(),
    unpricedAttempts: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    costMicros: z.number(),
    /** What its entries have cost by the days of the budgets' time zone; by those of UTC as far as `utcMicros` goes. */
    moneyMicros: z.number(),
    /** The part of `moneyMicros` that was added up by days of UTC: by earlier versions, or while the zone was unknown. */
    utcMicros: z.number(),
    /** When a budget last took its entries over (`SpentBefore`); absent where none has. */
    countedAt: z.date().optional(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, day: 1, model: 1 }] },
);
export type SpendDayRow = RowOf<typeof spendDayRows>;
