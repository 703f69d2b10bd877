import { completionId, conversationId, fileId, generationId, messageFile } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores a program's question, where the answer's worker reads it, until it is deleted. */
export const completionRows = collection(
  'completions',
  {
    _id: completionId,
    orgId,
    /** The conversation so far, oldest message first; the last is the question. */
    path: z.array(
      z.strictObject({
        role: z.enum(['person', 'assistant']),
        text: z.string(),
        attached: z.array(messageFile).optional(),
      }),
    ),
    /**
     * The files of all messages, which aren't erased while this row exists. Missing if there are none, and in rows of
     * versions up to 0.2.0.
     */
    files: z.array(fileId).optional(),
    /** Sent to the model after the chatbot's own instructions. */
    instructions: z.string(),
    /** Null: the chatbot's value applies. */
    temperature: z.number().nullable(),
    maxOutputTokens: z.number().int().nullable(),
    /** The answer ends before the first of these words. */
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
