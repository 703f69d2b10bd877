import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A row adds up what an organisation has used of a model on one day, in the transaction of each entry.
 * Attempts, tokens and `costMicros` are of the day in UTC. `<orgId>/<day>/<model>` is the id.
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
    /** Counts money by days of the budgets' time zone, except for the part in `utcMicros`. */
    moneyMicros: z.number(),
    /** Counts the part of `moneyMicros` that follows days in UTC: by earlier versions or without a zone. */
    utcMicros: z.number(),
    /** When a budget last took its entries over (`SpentBefore`); absent where none has. */
    countedAt: z.date().optional(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, day: 1, model: 1 }] },
);
export type SpendDayRow = RowOf<typeof spendDayRows>;
