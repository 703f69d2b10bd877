import { chatbotId, orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * What an organisation has used of a chatbot in a month: the sum of the entries of that month that name it, written in
 * the transaction of each. Attempts, tokens and `costMicros` are of the month in UTC. `<orgId>/<month>/<chatbotId>` is the id.
 */
export const spendChatbotRows = collection(
  'spend_chatbots',
  {
    _id: z.string(),
    orgId,
    month: z.string(),
    chatbotId,
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
export type SpendChatbotRow = RowOf<typeof spendChatbotRows>;
