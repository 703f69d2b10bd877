import { conversationId, generationId, messageFile, messageId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * Stores a question or an answer. An answer's text belongs to its generation; when the answer ends, it is copied here
 * for search. `parentId` of an answer is its question; of a question, the message before it (null at the start).
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
     * The place in the tree. It follows from the parents, as `forks` does. The migration `messageTree` sets both in
     * rows of versions up to 0.3.0.
     */
    place: z.number().int().optional(),
    forks: z.array(z.number().int()).optional(),
    /**
     * When a person deleted the message with everything below it. Null or missing: not deleted itself, but it can be
     * below a deleted one.
     */
    deletedAt: z.date().nullable().optional(),
    deletedBy: userId.nullable().optional(),
    generationId: generationId.nullable(),
    /** Set if a budget refused the answer before its first word. */
    isRefused: z.literal(true).optional(),
    /**
     * The answer that this one continues; set if it has words of its own, or was refused. Missing in rows of versions
     * up to 0.3.0.
     */
    lengthens: messageId.optional(),
    /** For a discarded question. The text is kept to restore it. */
    isDiscarded: z.boolean().optional(),
    /** The files that a question was sent with; missing if there are none. */
    files: z.array(messageFile).optional(),
    /** The message was imported; missing: it was written here. */
    imported: z.literal(true).optional(),
    /** The owner whose searches find the message. `searchKeys` has each different word of the message. */
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
