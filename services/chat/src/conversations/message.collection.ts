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
    /** Its place in the tree, which follows from the parents, as `forks` does. `messageTree` sets them in what versions up to 0.3.0 have written. */
    place: z.number().int().optional(),
    forks: z.array(z.number().int()).optional(),
    /** It and all below are deleted; null or absent: it is not, but something above it may be. */
    deletedAt: z.date().nullable().optional(),
    deletedBy: userId.nullable().optional(),
    generationId: generationId.nullable(),
    /** Set where a budget refused the answer before it had a word of its own. */
    isRefused: z.literal(true).optional(),
    /** Names the answer that this one goes on from, with words of its own or refused. Versions up to 0.3.0 have not written it. */
    lengthens: messageId.optional(),
    /** Of a question that was thrown away: the text stays, for whoever takes that back. */
    isDiscarded: z.boolean().optional(),
    /** Of a question: those that were sent with it; absent where there are none. */
    files: z.array(messageFile).optional(),
    /** It came from an export. Absent: it was written here. */
    imported: z.literal(true).optional(),
    /** Whose words they are, and each different one. */
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
