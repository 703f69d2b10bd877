import { chatbotId, connectionId, fileId, projectId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores a project. Chats name their project (`projectId`); the project doesn't list them. */
export const projectRows = collection(
  'projects',
  {
    _id: projectId,
    orgId,
    ownerId: userId,
    name: z.string(),
    instructions: z.string(),
    chatbotId: chatbotId.nullable(),
    /** Connections and files that answers in the project search besides their chatbot's connections. Missing: none. */
    connectionIds: z.array(connectionId).optional(),
    files: z.array(fileId).optional(),
    isPinned: z.boolean(),
    isArchived: z.boolean(),
    deletedAt: z.date().nullable(),
    /** `delete` if deleting the project deletes its chats, too. */
    chats: z.enum(['keep', 'delete']),
    /** Set while a job moves the chats out of the project, or back into it. */
    moving: z.enum(['out', 'back']).nullable(),
    /** True while lists show the project: until it is deleted and all of its chats have left. */
    isListed: z.boolean(),
    /**
     * Counts the chats that joined. Joining changes this field, so that a deletion at the same time conflicts and runs
     * again.
     */
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
