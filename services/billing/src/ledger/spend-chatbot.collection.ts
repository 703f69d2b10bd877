import { chatbotId } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A row adds up what an organisation has used of a chatbot in a month, in the transaction of each entry that names it.
 * Attempts, tokens and `costMicros` are of the month in UTC. `<orgId>/<month>/<chatbotId>` is the id.
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
    /** Counts money by days of the budgets' time zone, except for the part in `utcMicros`. */
    moneyMicros: z.number(),
    /** Counts the part of `moneyMicros` that follows days in UTC: by earlier versions or without a zone. */
    utcMicros: z.number(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, month: 1, moneyMicros: -1, _id: -1 }] },
);
