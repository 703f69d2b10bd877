import {
  openFeedbackStates,
  type ChatbotId,
  type FeedbackCase,
  type FeedbackItem,
  type FeedbackRating,
  type FeedbackReason,
  type FeedbackState,
  type OwnFeedback,
} from '@parley/contracts';
import type { FeedbackRow } from './feedback.collection.ts';

const mostSteps = 100;

type Filters = {
  readonly state?: FeedbackState | 'open' | undefined;
  readonly chatbot?: ChatbotId | undefined;
  readonly reason?: FeedbackReason | undefined;
  readonly rating?: FeedbackRating | undefined;
};
type Filed = Pick<FeedbackRow, 'state' | 'chatbot' | 'reasons' | 'rating'>;

/** What a combination of filters is called in the index. */
export const filterKeyOf = ({ state, chatbot, reason, rating }: Filters): string =>
  [state, chatbot, reason, rating].map((one) => one ?? '').join('|');

/** Every combination that finds it: whatever one filters by is one range of one index. */
export function filterKeysOf({ state, chatbot, reasons, rating }: Filed): string[] {
  const states = [undefined, ...(state === null ? [] : [state, ...(isOpen(state) ? ['open' as const] : [])])];
  return states.flatMap((oneState) =>
    [undefined, chatbot.id].flatMap((oneChatbot) =>
      [undefined, ...reasons].flatMap((oneReason) =>
        [undefined, rating].map((oneRating) =>
          filterKeyOf({ state: oneState, chatbot: oneChatbot, reason: oneReason, rating: oneRating }),
        ),
      ),
    ),
  );
}

const isOpen = (state: FeedbackState): boolean => openFeedbackStates.includes(state);

/** A bad rating is something to do, a good one is not; what somebody has decided stays. */
export function stateAfter(rating: FeedbackRating, state: FeedbackState | null): FeedbackState | null {
  if (rating === 'down') return state ?? 'new';
  return state === 'new' ? null : state;
}

/** The last hundred. */
export const withStep = (
  { history }: Pick<FeedbackRow, 'history'>,
  step: FeedbackRow['history'][number],
): FeedbackRow['history'] => [...history, step].slice(-mostSteps);

/** A day in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export function toOwn(row: FeedbackRow): OwnFeedback {
  const { _id: id, messageId, rating, reasons, comment, sharedMessages, reply, ratedAt } = row;
  return {
    id,
    messageId,
    rating,
    reasons,
    comment,
    sharedMessages,
    reply: toReply(reply),
    ratedAt: ratedAt.toISOString(),
  };
}

export function toItem(row: FeedbackRow): FeedbackItem {
  const { _id: id, rating, reasons, comment, question, chatbot, model, reporter, state, assignee, reply } = row;
  return {
    id,
    rating,
    reasons,
    comment,
    question,
    chatbot,
    model,
    reporter,
    state,
    assignee,
    isAnswered: reply !== null,
    ratedAt: row.ratedAt.toISOString(),
  };
}

export const toCase = (row: FeedbackRow): FeedbackCase => ({
  ...toItem(row),
  revision: row.revision,
  note: row.note,
  reply: toReply(row.reply),
  sharedMessages: row.sharedMessages,
  isChatDeleted: row.isChatDeleted,
  history: row.history.map((step) => ({ ...step, at: step.at.toISOString() })),
});

const toReply = (reply: FeedbackRow['reply']): OwnFeedback['reply'] =>
  reply && { ...reply, at: reply.at.toISOString() };
