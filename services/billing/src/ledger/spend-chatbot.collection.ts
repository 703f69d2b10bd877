import { chatbotId, orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A row adds up what an organisation has used of a chatbot in a month, in the transaction of each entry that names it. Attempts, tokens and `costMicros` are of the month in UTC. `<orgId>/<month>/<chatbotId>` is the id.
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
    /** The row holds money by days of the budgets' time zone here, except for `utcMicros`. */
    moneyMicros: z.number(),
    /** Earlier versions, and entries while the zone was unknown, added this part of `moneyMicros` by days in UTC. */
    utcMicros: z.number(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, month: 1, moneyMicros: -1, _id: -1 }] },
);
export type SpendChatbotRow = RowOf<typeof spendChatbotRows>;
