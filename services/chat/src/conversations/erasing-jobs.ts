import { conversationId, messageId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';
import { keepDeletedMs } from '../keep-deleted.ts';
import { messageRows, type MessageRow } from './message.collection.ts';

/** Erasing jobs erase one batch at a time, and other jobs run between batches. */
const batchByBatch = { slots: { all: 1 }, leaseMs: 60_000, attempts: 1_440, pauseMs: () => 60_000, sliceMs: 0 };

/** Erases a deleted chat once it can't be restored any more. */
export const eraseChat = defineJob('erase-chat', {
  input: z.strictObject({ conversationId, orgId, userId }),
  keyOf: ({ conversationId: id }) => id,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  ...batchByBatch,
});

/** Erases a deleted message with everything below it once it can't be restored any more. */
export const eraseMessage = defineJob('erase-message', {
  input: z.strictObject({ messageId, conversationId, orgId, deletedBy: userId.nullable() }),
  keyOf: ({ messageId: id }) => id,
  ownerOf: ({ orgId: organisation, deletedBy, conversationId: chat }) => ({
    orgId: organisation,
    person: deletedBy ?? chat,
  }),
  ...batchByBatch,
});

/** Returns the input of the job that erases a deleted chat. */
export const erasingOf = ({
  _id,
  orgId: organisation,
  ownerId,
}: Pick<StoredConversation, '_id' | 'orgId' | 'ownerId'>) => ({
  conversationId: _id,
  orgId: organisation,
  userId: ownerId,
});

/** Returns the input of the job that erases a deleted message. */
export const messageErasingOf = (row: Pick<MessageRow, '_id' | 'conversationId' | 'orgId' | 'deletedBy'>) => ({
  messageId: row._id,
  conversationId: row.conversationId,
  orgId: row.orgId,
  deletedBy: row.deletedBy ?? null,
});

/** Returns when a deleted message is erased; null for a message that isn't deleted. */
export const messageEraseAt = ({ deletedAt }: Pick<MessageRow, 'deletedAt'>): Date | null =>
  deletedAt ? new Date(deletedAt.getTime() + keepDeletedMs) : null;

/** Queues erasing jobs for chats that were deleted before these jobs existed. The job sets missing erasure dates. */
export const deletedChatsToJobs = queueWaiting({
  name: 'jobs-of-deleted-chats',
  title: 'noting when deleted chats are erased',
  rows: conversationRows,
  oldIndexes: ['isDeleted_1_erasure_1_eraseAt_1', 'isDeleted_1_erasure_1_orgId_1_ownerId_1'],
  job: eraseChat,
  fields: ['_id', 'orgId', 'ownerId', 'isDeleted', 'erasure', 'eraseAt'],
  jobOf: (row) => {
    if (!row.isDeleted || row.erasure === 'done') return null;
    const at = row.erasure === 'waiting' ? row.eraseAt : null;
    return { input: erasingOf(row), ...(at && { at }) };
  },
});

/** Queues erasing jobs for messages that were deleted before these jobs existed. */
export const deletedMessagesToJobs = queueWaiting({
  name: 'jobs-of-deleted-messages',
  title: 'noting when deleted messages are erased',
  rows: messageRows,
  oldIndexes: ['deletedAt_1', 'orgId_1_deletedBy_1_deletedAt_1'],
  job: eraseMessage,
  fields: ['_id', 'conversationId', 'orgId', 'deletedBy', 'deletedAt'],
  jobOf: (row) => {
    const at = messageEraseAt(row);
    return at ? { input: messageErasingOf(row), at } : null;
  },
});
