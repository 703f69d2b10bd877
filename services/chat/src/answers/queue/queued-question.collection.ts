import { asNote, chatbotId, conversationId, generationId, messageId, modelKey, waitingFile } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores what waits until no other answer runs in its conversation. */
export const queuedQuestionRows = collection(
  'queued_questions',
  {
    /** The id of the message that it becomes: the question, or with `again` the answer. */
    _id: messageId,
    orgId,
    conversationId,
    /** The order of arrival in its conversation. */
    number: z.number().int(),
    kind: z.enum(['question', 'again']),
    parentId: messageId.nullable(),
    text: z.string(),
    /** Missing if there are none. */
    files: z.array(waitingFile).optional(),
    continues: messageId.nullable(),
    /** See `asNote`, for `again`. Missing: images are sent. */
    images: asNote.optional(),
    answerId: messageId,
    generationId,
    chatbotId: chatbotId.nullable(),
    model: modelKey.nullable(),
    author: z.strictObject({ userId, name: z.string(), locale: z.string() }),
    /** The request that asked. */
    origin: z.strictObject({ correlationId: z.string(), traceparent: z.string().nullable() }),
    queuedAt: z.date(),
    /** The problem code with which it was refused on its turn. */
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
