import { conversationId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import type { Transaction } from '@parley/platform/mongo';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { conversationRows, type StoredConversation } from './conversation.collection.ts';

/** Asks the next waiting question in a chat without a running answer. */
export const askNext = defineJob('ask-next', {
  input: z.strictObject({ conversationId, orgId, userId }),
  keyOf: ({ conversationId: id }) => id,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  slots: { all: 4 },
  leaseMs: 30_000,
  attempts: 30,
  pauseMs: (attempt) => attempt * 1_000,
});

/** Returns whether the next question can be asked now. */
export const isReadyToAsk = ({ queued, isQueueHeld, running, isDeleted }: StoredConversation): boolean =>
  Boolean(queued) && !isQueueHeld && !running && !isDeleted;

const askingOf = ({ _id, orgId: organisation, ownerId }: StoredConversation) => ({
  conversationId: _id,
  orgId: organisation,
  userId: ownerId,
});

/**
 * Queues a job to ask the next question if it can be asked now. Call it in each transaction that can make a question
 * ready.
 */
export function askWhenReady(tx: Transaction, conversation: StoredConversation): void {
  if (isReadyToAsk(conversation)) tx.queue(askNext, askingOf(conversation));
}

/** Queues jobs for chats whose next question was ready before this job existed. */
export const queuedQuestionsToJobs = queueWaiting({
  name: 'jobs-of-queued-questions',
  title: 'queueing questions that wait in chats',
  rows: conversationRows,
  oldIndexes: ['isQueueHeld_1_running_1_lastActivityAt_1', 'isQueueHeld_1_running_1_orgId_1_ownerId_1'],
  job: askNext,
  jobOf: (row) => (isReadyToAsk(row) ? { input: askingOf(row) } : null),
});
