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
    createdAt: z.date(),
    lastActivityAt: z.date(),
    version: z.number().int(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, ownerId: 1, isDeleted: 1, lastActivityAt: -1, _id: -1 }] },
);
export type StoredConversation = RowOf<typeof conversationRows>;
export type RunningAnswer = NonNullable<StoredConversation['running']>;
