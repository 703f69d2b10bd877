import { completionId, conversationId, fileId, generationId, messageFile } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** What a program has asked for, until it is purged: whoever writes the answer reads it here. */
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
    /** Names the files of all messages, held while this is kept. Absent in rows of versions up to 0.2.0, and where there are none. */
    files: z.array(fileId).optional(),
    /** Told to the model after what its maker has told the chatbot. */
    instructions: z.string(),
    /** Null leaves it to the chatbot. */
    temperature: z.number().nullable(),
    maxOutputTokens: z.number().int().nullable(),
    /** The answer ends in front of the first of them. */
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
