import { defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, chunkId, conversationId, curatedAnswerId, feedbackId, messageId } from '../../../ids.ts';
import { chatbotGlyph, chatbotVersionRef } from '../assistants/chatbots.ts';
import { modelKey } from '../assistants/models.ts';

export const feedbackRating = z.enum(['up', 'down']);
export type FeedbackRating = z.infer<typeof feedbackRating>;

/** Faults of an answer, in its reader's view. */
export const feedbackReason = z.enum([
  'wrong-facts',
  'out-of-date',
  'not-in-source',
  'incomplete',
  'beside-question',
  'too-long',
  'language',
  'style',
  'refused',
  'other',
]);
export type FeedbackReason = z.infer<typeof feedbackReason>;

/** The state of a case. A good rating has no state until someone works on it. */
export const feedbackState = z.enum(['new', 'in-work', 'fixed', 'wont-fix']);
export type FeedbackState = z.infer<typeof feedbackState>;
/** States that still need work. */
export const openFeedbackStates: readonly FeedbackState[] = ['new', 'in-work'];

/** Limits the messages that are sent along with a rating, and the characters of these messages. */
export const mostSharedMessages = 20;
export const mostSharedCharacters = 32_000;

const rated = {
  rating: feedbackRating,
  reasons: z.array(feedbackReason).max(feedbackReason.options.length),
  comment: z.string().trim().max(2_000),
};
const person = z.strictObject({ userId, name: z.string() });
const reply = z.strictObject({ text: z.string(), by: z.string(), at: timestamp });

/** A person's rating of an answer, as they see it. */
export const ownFeedback = z.strictObject({
  id: feedbackId,
  messageId,
  ...rated,
  /** Number of messages that were sent along. */
  sharedMessages: z.number().int(),
  /** The reply of the people who work on feedback. */
  reply: reply.nullable(),
  ratedAt: timestamp,
});
export type OwnFeedback = z.infer<typeof ownFeedback>;

/** A rating in the list of the people who work on feedback. */
export const feedbackItem = z.strictObject({
  id: feedbackId,
  ...rated,
  /** The first line of the question, if it was sent along. */
  question: z.string().nullable(),
  chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }),
  model: z.strictObject({ key: modelKey, label: z.string() }),
  reporter: person,
  state: feedbackState.nullable(),
  assignee: person.nullable(),
  isAnswered: z.boolean(),
  ratedAt: timestamp,
});
export type FeedbackItem = z.infer<typeof feedbackItem>;

/** A step in the history of a case. */
export const feedbackStep = z.strictObject({
  at: timestamp,
  by: person,
  what: z.enum(['rated', 'state', 'assigned', 'noted', 'answered', 'read', 'curated']),
  /** The new state, or the person to whom the case is assigned now. */
  to: z.string().nullable(),
});
export type FeedbackStep = z.infer<typeof feedbackStep>;

/** A complete case, without the conversation, which is read separately. */
export const feedbackCase = feedbackItem.extend({
  /** Grows with each change. A change names the revision that the person saw. */
  revision: z.number().int(),
  note: z.string(),
  reply: reply.nullable(),
  /** Number of messages that can be read; 0 if none were sent along, or if the chat was deleted since. */
  sharedMessages: z.number().int(),
  isChatDeleted: z.boolean(),
  /** Oldest first, at most the last hundred. */
  history: z.array(feedbackStep),
});
export type FeedbackCase = z.infer<typeof feedbackCase>;

/**
 * A message that was sent along. Its citations have locations only: readers of the case open a passage by their own
 * access, and don't learn names of documents that they can't read.
 */
export const sharedMessage = z.strictObject({
  id: messageId,
  role: z.enum(['person', 'assistant']),
  text: z.string(),
  at: timestamp,
  citations: z.array(
    z.strictObject({ number: z.number().int(), chunkId, curatedAnswerId: curatedAnswerId.nullable() }),
  ),
});
export type SharedMessage = z.infer<typeof sharedMessage>;

const own = { service: 'chat', scope: 'organisation', permission: 'chat:update' } as const;
const read = { service: 'chat', scope: 'organisation', permission: 'feedback:read' } as const;
const managed = { ...read, permission: 'feedback:manage' } as const;
const ofAnswer = z.strictObject({ conversationId, messageId });
const one = z.strictObject({ feedbackId });
const revision = z.number().int();

/**
 * Rates an answer of the person's own chat, or changes the rating. Idempotent. `messages` is the number of messages
 * that the person agreed to send: the last ones up to the answer are copied into the case, never more. 0 removes the
 * copies again. 409 `chat.generation-running` while the answer runs.
 */
export const rateAnswer = defineRoute({
  ...own,
  route: 'PUT /api/chat/conversations/:conversationId/messages/:messageId/feedback',
  cost: 'write',
  params: ofAnswer,
  body: z.strictObject({
    rating: feedbackRating,
    reasons: rated.reasons.default([]),
    comment: rated.comment.default(''),
    messages: z.number().int().min(0).max(mostSharedMessages).default(0),
  }),
  response: ownFeedback,
});

/** Withdraws the rating with everything that was sent along. Idempotent. */
export const withdrawFeedback = defineRoute({
  ...own,
  route: 'DELETE /api/chat/conversations/:conversationId/messages/:messageId/feedback',
  cost: 'write',
  status: 204,
  params: ofAnswer,
});

/** Lists the person's ratings in one of their chats, with replies: the newest two hundred. */
export const listMyFeedback = defineRoute({
  ...own,
  permission: 'chat:read',
  cost: 'read',
  route: 'GET /api/chat/conversations/:conversationId/my-feedback',
  params: z.strictObject({ conversationId }),
  response: z.strictObject({ items: z.array(ownFeedback) }),
});

/**
 * Lists who reads messages sent along with a rating, so that a person knows before they agree: some by name, and the
 * number of others.
 */
export const listFeedbackReaders = defineRoute({
  ...own,
  route: 'GET /api/chat/feedback-readers',
  cost: 'read',
  response: z.strictObject({ names: z.array(z.string()), more: z.number().int() }),
});

/** Lists cases, newest first; without `state` only cases that still need work. Dates are days in UTC. */
export const listFeedback = defineRoute({
  ...read,
  route: 'GET /api/chat/feedback',
  cost: 'read',
  query: pageQuery.extend({
    state: feedbackState.or(z.enum(['open', 'all'])).default('open'),
    chatbot: chatbotId.optional(),
    reason: feedbackReason.optional(),
    rating: feedbackRating.optional(),
    from: z.iso.date().optional(),
    until: z.iso.date().optional(),
  }),
  response: pageOf(feedbackItem).extend({
    /** Number of open cases, counted up to a thousand. */
    open: z.number().int(),
  }),
});

const counted = z.strictObject({ up: z.number().int(), down: z.number().int() });

/** Counts ratings by chatbot and version in the last days, including today. Newest versions first. */
export const countFeedback = defineRoute({
  ...read,
  route: 'GET /api/chat/feedback-counts',
  cost: 'report',
  query: z.strictObject({ days: z.coerce.number().int().min(1).max(90).default(30) }),
  response: z.strictObject({
    ...counted.shape,
    chatbots: z.array(
      z.strictObject({
        id: chatbotId,
        name: z.string(),
        glyph: chatbotGlyph,
        versions: z.array(counted.extend({ version: z.number().int() })),
      }),
    ),
    /** True if there were too many ratings to add up: the earliest days are missing. */
    isCut: z.boolean(),
  }),
});

export const getFeedback = defineRoute({
  ...read,
  route: 'GET /api/chat/feedback/:feedbackId',
  cost: 'read',
  params: one,
  response: feedbackCase,
});

/** Returns the messages that the person sent along. The case and the audit log record each reader, once a day. */
export const readSharedMessages = defineRoute({
  ...read,
  route: 'GET /api/chat/feedback/:feedbackId/shared-messages',
  cost: 'read',
  params: one,
  response: z.strictObject({ items: z.array(sharedMessage) }),
});

/** Changes a case. `platform.conflict` with the present case if someone else changed it. */
export const changeFeedback = defineRoute({
  ...managed,
  route: 'PATCH /api/chat/feedback/:feedbackId',
  cost: 'write',
  params: one,
  body: z.strictObject({
    revision,
    state: feedbackState.optional(),
    /** The assignee: an active member who can read feedback. */
    assigneeId: userId.nullable().optional(),
    /** A note for the people who work on the case; the person who rated doesn't see it. */
    note: z.string().trim().max(2_000).optional(),
  }),
  response: feedbackCase,
});

/** Lists who can be assigned a case, by name, at most a hundred. */
export const listAssignees = defineRoute({
  ...managed,
  route: 'GET /api/chat/feedback-assignees',
  cost: 'read',
  response: z.strictObject({ items: z.array(person) }),
});

/** Sends a reply, which the person sees below the answer immediately. It replaces an earlier reply. */
export const answerFeedback = defineRoute({
  ...managed,
  route: 'PUT /api/chat/feedback/:feedbackId/reply',
  cost: 'write',
  params: one,
  body: z.strictObject({ revision, text: z.string().trim().min(1).max(2_000) }),
  response: feedbackCase,
});

export const feedbackRoutes = {
  rateAnswer,
  withdrawFeedback,
  listMyFeedback,
  listFeedbackReaders,
  listFeedback,
  countFeedback,
  getFeedback,
  readSharedMessages,
  changeFeedback,
  listAssignees,
  answerFeedback,
};
