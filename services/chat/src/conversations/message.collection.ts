import { conversationId, generationId, messageFile, messageId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * Stores a question or an answer. An answer's text belongs to its generation and is copied here for search when it ends.
 * `parentId` of an answer is its question; of a question, the message before it (null at the start).
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
    /**
     * Its place in the tree, which follows from the parents, as `forks` does. `messageTree` sets them in rows of
     * versions up to 0.3.0.
     */
    place: z.number().int().optional(),
    forks: z.array(z.number().int()).optional(),
    /** When it and everything below it were deleted; null or missing: it wasn't, but something above it can be. */
    deletedAt: z.date().nullable().optional(),
    deletedBy: userId.nullable().optional(),
    generationId: generationId.nullable(),
    /** Set if a budget refused the answer before its first word. */
    isRefused: z.literal(true).optional(),
    /**
     * The answer that this one continues, with words of its own or refused. Missing in rows of versions up to 0.3.0.
     */
    lengthens: messageId.optional(),
    /** For a discarded question, whose text is kept to restore it. */
    isDiscarded: z.boolean().optional(),
    /** For a question: the files that were sent with it; missing if there are none. */
    files: z.array(messageFile).optional(),
    /** It was imported. Missing: it was written here. */
    imported: z.literal(true).optional(),
    /** Whose words these are, and each different word. */
    searchScope: z.string(),
    searchKeys: z.array(z.string()),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      [{ conversationId: 1, position: 1 }, { unique: true }],
      { conversationId: 1, sequence: 1 },
      { conversationId: 1, place: 1 },
      { conversationId: 1, forks: 1 },
      { conversationId: 1, parentId: 1 },
      [{ conversationId: 1, deletedAt: 1 }, { partialFilterExpression: { deletedAt: { $exists: true } } }],
      { searchScope: 1, searchKeys: 1, createdAt: -1 },
      [{ orgId: 1, 'files.id': 1 }, { partialFilterExpression: { 'files.id': { $exists: true } } }],
      [{ conversationId: 1, 'files.id': 1 }, { partialFilterExpression: { 'files.id': { $exists: true } } }],
    ],
    keys: ['searchScope', 'searchKeys'],
  },
);
export type NewMessage = RowOf<typeof messageRows>;
export type MessageRow = ReadOf<typeof messageRows>;
