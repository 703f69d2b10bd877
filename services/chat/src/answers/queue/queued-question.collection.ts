import { asNote, chatbotId, conversationId, generationId, messageId, modelKey, waitingFile } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores questions, and requests for other answers, until no other answer runs in their conversation. */
export const queuedQuestionRows = collection(
  'queued_questions',
  {
    /** The id of the message to create: the question's or, for `again`, the answer's. */
    _id: messageId,
    orgId,
    conversationId,
    /** The order of arrival in the conversation. */
    number: z.number().int(),
    kind: z.enum(['question', 'again']),
    parentId: messageId.nullable(),
    text: z.string(),
    /** Missing if the question has no files. */
    files: z.array(waitingFile).optional(),
    continues: messageId.nullable(),
    /** See `asNote`; only with `again`. Missing: the model gets the images. */
    images: asNote.optional(),
    answerId: messageId,
    generationId,
    chatbotId: chatbotId.nullable(),
    model: modelKey.nullable(),
    author: z.strictObject({ userId, name: z.string(), locale: z.string() }),
    /** The request that queued the question, for traces. */
    origin: z.strictObject({ correlationId: z.string(), traceparent: z.string().nullable() }),
    queuedAt: z.date(),
    /** The code of the problem if the question was refused on its turn. */
    refusal: z.string().nullable(),
    version: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      [{ conversationId: 1, number: 1 }, { unique: true }],
      [{ orgId: 1, 'files.id': 1 }, { partialFilterExpression: { 'files.id': { $exists: true } } }],
    ],
  },
);
export type QueuedRow = RowOf<typeof queuedQuestionRows>;
