import { chatbotId, orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * What an organisation has used of a chatbot in a month of UTC: the sum of the entries of that month that name it, written
 * in the transaction of each. `<orgId>/<month>/<chatbotId>` is the id.
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
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, month: 1, costMicros: -1, _id: -1 }] },
);
export type SpendChatbotRow = RowOf<typeof spendChatbotRows>;
