import {
  chatbotContent,
  chatbotId,
  conversationId,
  generationId,
  messageId,
  testRunId,
  trialId,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores a question that tries a chatbot, with the content that answers it, because a draft keeps changing. */
export const trialRows = collection(
  'chatbot_trials',
  {
    _id: trialId,
    orgId,
    chatbotId,
    /** Null: the draft as it was then. */
    version: z.number().int().nullable(),
    content: chatbotContent,
    question: z.string(),
    askerId: userId,
    askerName: z.string(),
    askedAt: z.date(),
    /** The run of a test set that asked it; null: a person did. */
    runId: testRunId.nullable(),
    /** Conversation, question, answer and generation, which no other list has. */
    conversationId,
    questionId: messageId,
    answerId: messageId,
    generationId,
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ chatbotId: 1, askerId: 1, runId: 1, _id: -1 }, { askedAt: 1 }] },
);
export type TrialRow = RowOf<typeof trialRows>;
