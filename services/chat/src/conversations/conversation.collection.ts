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

/** Stores a conversation. `running` is the running answer, one at a time; `lastAnswerId` the newest ended one. */
export const conversationRows = collection(
  'conversations',
  {
    _id: conversationId,
    orgId,
    ownerId: userId,
    title: z.string(),
    /**
     * State of a title that is the shortened question: `open` until a model is asked for a better one, then `asked`.
     * Null or missing if a person typed the title, a model wrote it, or a version up to 0.2.0 made it.
     */
    titling: z.enum(['open', 'asked']).nullable().optional(),
    sequence: z.number().int(),
    lastPosition: z.number().int(),
    lastAnswerId: messageId.nullable(),
    /**
     * The number of the newest run, a chain of messages without a fork (`message-tree.ts`). `messageTree` sets it in
     * rows of versions up to 0.3.0.
     */
    lastRun: z.number().int(),
    /** The number of messages marked as deleted with everything below; missing: none. */
    deletions: z.number().int().optional(),
    /**
     * The source of a copy. `isCopying`: the copy is incomplete; until then it counts as deleted, and can't be
     * restored.
     */
    branchedFrom: z.strictObject({ conversationId, messageId }).optional(),
    /**
     * The source of an import; missing: the conversation began here. `importId` is missing in rows of versions up to
     * 0.3.0. `isDeleted`: it was deleted with its whole import, and is restored with it.
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
    /** The number of queued questions; missing: none. */
    queued: z.number().int().optional(),
    /**
     * The newest answer failed, or the first queued question was refused: the queue waits until its person continues
     * it.
     */
    isQueueHeld: z.boolean().optional(),
    /** The number of ended answers; missing: none since unread marks exist. */
    answersEnded: z.number().int().optional(),
    /**
     * The number of ended answers that the owner has seen; missing: none. The migration `readMarks` moved it here from
     * the reading positions.
     */
    answersSeen: z.number().int().optional(),
    /** The project of the chat; null or missing: none. */
    projectId: projectId.nullable().optional(),
    /** The deleted project that the chat was in, for a restore. `isDeleted`: the chat was deleted with the project. */
    formerProject: z.strictObject({ id: projectId, isDeleted: z.boolean() }).nullable().optional(),
    /** The chatbot of the newest answer; missing: none, or a version up to 0.4.0 wrote the row. */
    chatbotId: chatbotId.optional(),
    isPinned: z.boolean().optional(),
    /** Missing or null: not archived. Never false, because lists filter by equality. */
    isArchived: z.literal(true).nullable().optional(),
    isDeleted: z.boolean(),
    deletedAt: z.date().nullable(),
    /**
     * How far the erasure of a deleted conversation is: it waits for `eraseAt`, has begun, or has left only this row.
     * Both fields are missing in rows that earlier versions deleted.
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
