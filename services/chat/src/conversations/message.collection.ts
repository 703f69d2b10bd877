import { conversationId, generationId, messageId, orgId, userId } from '@parley/contracts';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A person's words, or an answer's: the text of an answer is its generation's, and is copied here at its end for the
 * search. `parentId` of an answer is its question; of a question it is the answer that it follows, null at the start.
 * `position` is the order of creation.
 */
export const messageRows = collection(
  'messages',
  {
    _id: messageId,
    orgId,
    conversationId,
    position: z.number().int(),
    sequence: z.number().int(),
    role: z.enum(['person', 'assistant']),
    text: z.string(),
    createdAt: z.date(),
    author: z.strictObject({ userId, name: z.string() }).nullable(),
    parentId: messageId.nullable(),
    generationId: generationId.nullable(),
    /** Of a question that was thrown away: the text stays, for whoever takes that back. */
    isDiscarded: z.boolean().optional(),
    /** Whose words they are, and each different one. */
    searchScope: z.string(),
    searchKeys: z.array(z.string()),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      [{ conversationId: 1, position: 1 }, { unique: true }],
      { conversationId: 1, sequence: 1 },
      { searchScope: 1, searchKeys: 1, createdAt: -1 },
    ],
    keys: ['searchScope', 'searchKeys'],
  },
);
export type NewMessage = RowOf<typeof messageRows>;
export type MessageRow = ReadOf<typeof messageRows>;
