import { completionId, conversationId, fileId, generationId, messageFile } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores what a program asked until it is deleted: the worker of the answer reads it here. */
export const completionRows = collection(
  'completions',
  {
    _id: completionId,
    orgId,
    /** The conversation so far, oldest first; the last is the question. */
    path: z.array(
      z.strictObject({
        role: z.enum(['person', 'assistant']),
        text: z.string(),
        attached: z.array(messageFile).optional(),
      }),
    ),
    /**
     * The files of all messages, which are held while this is kept. Missing in rows of versions up to 0.2.0, and if
     * there are none.
     */
    files: z.array(fileId).optional(),
    /** Sent to the model after the chatbot's own instructions. */
    instructions: z.string(),
    /** Null: the chatbot decides. */
    temperature: z.number().nullable(),
    maxOutputTokens: z.number().int().nullable(),
    /** The answer ends before the first of them. */
    stops: z.array(z.string()),
    askedAt: z.date(),
    conversationId,
    generationId,
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ askedAt: 1 }, [{ orgId: 1, files: 1 }, { partialFilterExpression: { files: { $exists: true } } }]],
  },
);
export type CompletionRow = RowOf<typeof completionRows>;
