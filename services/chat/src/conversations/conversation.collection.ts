import { conversationId, generationId, messageId, orgId, userId } from '@parley/contracts';
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
    sequence: z.number().int(),
    lastPosition: z.number().int(),
    lastAnswerId: messageId.nullable(),
    running: z.strictObject({ generationId, answerId: messageId }).nullable(),
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
      { orgId: 1, ownerId: 1, isDeleted: 1, lastActivityAt: -1, _id: -1 },
      { orgId: 1, ownerId: 1, isDeleted: 1, erasure: 1, deletedAt: -1, _id: -1 },
      { isDeleted: 1, erasure: 1, eraseAt: 1 },
      { isDeleted: 1, erasure: 1, orgId: 1, ownerId: 1 },
    ],
  },
);
export type StoredConversation = RowOf<typeof conversationRows>;
export type RunningAnswer = NonNullable<StoredConversation['running']>;
