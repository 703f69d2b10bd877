import type { feedbackChanged } from '@parley/contracts';
import type { DataOf, UserId } from '@parley/protocol';
import type { FeedbackRow } from './feedback.collection.ts';

type Told = DataOf<typeof feedbackChanged>;

/** What is told of a rating: ids and states. */
export const told = (row: FeedbackRow, { userId: by }: { userId: UserId }, change: Told['change']): Told => ({
  orgId: row.orgId,
  feedbackId: row._id,
  conversationId: row.conversationId,
  messageId: row.messageId,
  userId: row.reporter.userId,
  by,
  change,
  rating: row.rating,
  state: row.state,
  chatbot: { id: row.chatbot.id, version: row.chatbot.version },
});
