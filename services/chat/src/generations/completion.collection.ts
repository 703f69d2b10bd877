import { completionId, conversationId, generationId, orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** What a program has asked for, until it is purged: whoever writes the answer reads it here. */
export const completionRows = collection(
  'completions',
  {
    _id: completionId,
    orgId,
    /** The conversation so far, oldest first; the last is the question. */
    turns: z.array(z.strictObject({ role: z.enum(['person', 'assistant']), text: z.string() })),
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
  { tenant: { organisation: 'orgId' }, indexes: [{ askedAt: 1 }] },
);
export type CompletionRow = RowOf<typeof completionRows>;
