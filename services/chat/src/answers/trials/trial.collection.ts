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

/** Stores a trial question with the chatbot content that answers it, because drafts keep changing. */
export const trialRows = collection(
  'chatbot_trials',
  {
    _id: trialId,
    orgId,
    chatbotId,
    /** Null: the draft at that time. */
    version: z.number().int().nullable(),
    content: chatbotContent,
    question: z.string(),
    askerId: userId,
    askerName: z.string(),
    askedAt: z.date(),
    /** The test run that asked the question; null if a person did. */
    runId: testRunId.nullable(),
    /** Ids of the conversation, question, answer and generation, which no other list shows. */
    conversationId,
    questionId: messageId,
    answerId: messageId,
    generationId,
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ chatbotId: 1, askerId: 1, runId: 1, _id: -1 }, { askedAt: 1 }] },
);
export type TrialRow = RowOf<typeof trialRows>;
