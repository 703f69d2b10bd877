import { chatbotId, connectionId, fileId, projectId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** A project. Which chats are in it is said by the chats (`projectId`), never here. */
export const projectRows = collection(
  'projects',
  {
    _id: projectId,
    orgId,
    ownerId: userId,
    name: z.string(),
    instructions: z.string(),
    chatbotId: chatbotId.nullable(),
    /** List connections and files that its answers search besides the connections of their chatbot. Absent: none. */
    connectionIds: z.array(connectionId).optional(),
    files: z.array(fileId).optional(),
    isPinned: z.boolean(),
    isArchived: z.boolean(),
    deletedAt: z.date().nullable(),
    /** Says whether deleting the project keeps or deletes its chats. */
    chats: z.enum(['keep', 'delete']),
    /** Says that a job still moves its chats out of it, or back into it. */
    moving: z.enum(['out', 'back']).nullable(),
    /** Its person sees it in lists: it isn't deleted, or its chats have not all left it. */
    isListed: z.boolean(),
    /** Counts chats that came in: who deletes it meanwhile meets them here, and runs again. */
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
