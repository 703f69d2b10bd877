import { chatbotId, connectionId, fileId, projectId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores a project. The chats name their project (`projectId`), never the other way around. */
export const projectRows = collection(
  'projects',
  {
    _id: projectId,
    orgId,
    ownerId: userId,
    name: z.string(),
    instructions: z.string(),
    chatbotId: chatbotId.nullable(),
    /** Connections and files that its answers search besides the connections of their chatbot. Missing: none. */
    connectionIds: z.array(connectionId).optional(),
    files: z.array(fileId).optional(),
    isPinned: z.boolean(),
    isArchived: z.boolean(),
    deletedAt: z.date().nullable(),
    /** True if deleting the project deletes its chats. */
    chats: z.enum(['keep', 'delete']),
    /** Set while a job moves its chats out of it, or back into it. */
    moving: z.enum(['out', 'back']).nullable(),
    /** Lists show it: it isn't deleted, or its chats haven't all left it. */
    isListed: z.boolean(),
    /** Counts chats that were let in. A deletion at the same time conflicts here, and runs again. */
    joined: z.number().int(),
    createdAt: z.date(),
    revision: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, ownerId: 1, isListed: 1, isArchived: 1, createdAt: -1, _id: -1 },
      { orgId: 1, ownerId: 1, deletedAt: -1, _id: -1 },
      [{ orgId: 1, files: 1 }, { partialFilterExpression: { files: { $exists: true } } }],
    ],
  },
);
export type ProjectRow = RowOf<typeof projectRows>;
