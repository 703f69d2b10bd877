import { asNote, chatbotId, conversationId, generationId, messageId, modelKey, waitingFile } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** What waits until nothing else is written in its conversation. */
export const queuedQuestionRows = collection(
  'queued_questions',
  {
    /** Of the message that it becomes: the question's or, of `again`, the answer's. */
    _id: messageId,
    orgId,
    conversationId,
    /** The order of arrival in its conversation. */
    number: z.number().int(),
    kind: z.enum(['question', 'again']),
    parentId: messageId.nullable(),
    text: z.string(),
    /** Absent where it has none. */
    files: z.array(waitingFile).optional(),
    continues: messageId.nullable(),
    /** See `asNote`, of `again`. Absent: images are sent. */
    images: asNote.optional(),
    answerId: messageId,
    generationId,
    chatbotId: chatbotId.nullable(),
    model: modelKey.nullable(),
    author: z.strictObject({ userId, name: z.string(), locale: z.string() }),
    /** The request that asked. */
    origin: z.strictObject({ correlationId: z.string(), traceparent: z.string().nullable() }),
    queuedAt: z.date(),
    /** The problem code for which it was refused when its turn came. */
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
