import {
  chatbotId,
  conversationId,
  generationId,
  importId,
  importSource,
  messageId,
  projectId,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** A conversation. `running` is the answer being written, one at a time; `lastAnswerId` the newest that has ended. */
export const conversationRows = collection(
  'conversations',
  {
    _id: conversationId,
    orgId,
    ownerId: userId,
    title: z.string(),
    /**
     * Of a title that is the shortened question: `open` until a model is asked for a better one, `asked` once it is. Null
     * or absent where a person typed it, a model wrote it, or a version up to 0.2.0 made it.
     */
    titling: z.enum(['open', 'asked']).nullable().optional(),
    sequence: z.number().int(),
    lastPosition: z.number().int(),
    lastAnswerId: messageId.nullable(),
    /** The newest run of its tree. `messageTree` sets it in what versions up to 0.3.0 have written. */
    lastRun: z.number().int(),
    /** How many of its messages are marked as deleted with all below; absent: none. */
    deletions: z.number().int().optional(),
    /** Of a copy: where it came from. `isCopying` until all of it is there: meanwhile it is deleted, and nobody restores it. */
    branchedFrom: z.strictObject({ conversationId, messageId }).optional(),
    /**
     * Says where it was imported from; absent: it began here. `importId` is absent in what versions up to 0.3.0 have written.
     * `isDeleted`: it was deleted with all chats of its import, and comes back with them.
     */
    imported: z
      .strictObject({
        source: importSource,
        at: z.date(),
        importId: importId.optional(),
        isDeleted: z.boolean().optional(),
      })
      .optional(),
    isCopying: z.boolean().optional(),
    running: z.strictObject({ generationId, answerId: messageId }).nullable(),
    /** How many questions wait in its queue; absent: none. */
    queued: z.number().int().optional(),
    /** Its newest answer failed, or the first question of its queue was refused: what waits goes on when its person says so. */
    isQueueHeld: z.boolean().optional(),
    /** How many answers have ended in it; absent: none since there are unread marks. */
    answersEnded: z.number().int().optional(),
    /** Counts those that its owner has seen; absent: none. `readMarks` has moved it here from the reading places. */
    answersSeen: z.number().int().optional(),
    /** The project that it is in; null or absent: none. */
    projectId: projectId.nullable().optional(),
    /** The deleted project that it was in, to which a restore takes it back; `isDeleted`: it was deleted with it. */
    formerProject: z.strictObject({ id: projectId, isDeleted: z.boolean() }).nullable().optional(),
    /** The chatbot that gave its newest answer; absent: none has, or a version up to 0.4.0 wrote it. */
    chatbotId: chatbotId.optional(),
    isPinned: z.boolean().optional(),
    /** Absent or null: it is not; lists read it by equality. */
    isArchived: z.literal(true).nullable().optional(),
    isDeleted: z.boolean(),
    deletedAt: z.date().nullable(),
    /**
     * How far the erasing of a deleted conversation is: it waits for `eraseAt`, is being erased, or nothing but this row
     * is left of it. Both are absent in what earlier versions have deleted.
     */
    erasure: z.enum(['waiting', 'begun', 'done']).nullable().optional(),
    eraseAt: z.date().nullable().optional(),
    createdAt: z.date(),
    lastActivityAt: z.date(),
    version: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, ownerId: 1, isDeleted: 1, isArchived: 1, lastActivityAt: -1, _id: -1 },
      [{ orgId: 1, ownerId: 1, lastActivityAt: -1, _id: -1 }, { partialFilterExpression: { isPinned: true } }],
      { orgId: 1, ownerId: 1, isDeleted: 1, erasure: 1, deletedAt: -1, _id: -1 },
      { orgId: 1, ownerId: 1, projectId: 1, isDeleted: 1, isArchived: 1, lastActivityAt: -1, _id: -1 },
      [
        { orgId: 1, ownerId: 1, 'imported.importId': 1, isDeleted: 1, lastActivityAt: -1, _id: -1 },
        { partialFilterExpression: { 'imported.importId': { $exists: true } } },
      ],
      [
        { orgId: 1, ownerId: 1, 'formerProject.id': 1 },
        { partialFilterExpression: { 'formerProject.id': { $exists: true } } },
      ],
    ],
  },
);
export type StoredConversation = RowOf<typeof conversationRows>;
export type RunningAnswer = NonNullable<StoredConversation['running']>;
