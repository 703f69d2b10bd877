import { defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, chunkId, conversationId, curatedAnswerId, feedbackId, messageId } from '../../../ids.ts';
import { chatbotGlyph, chatbotVersionRef } from '../assistants/chatbots.ts';
import { modelKey } from '../assistants/models.ts';

export const feedbackRating = z.enum(['up', 'down']);
export type FeedbackRating = z.infer<typeof feedbackRating>;

/** What is wrong with an answer, as its reader sees it. */
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

/** What becomes of a case; a good rating has none until somebody takes it up. */
export const feedbackState = z.enum(['new', 'in-work', 'fixed', 'wont-fix']);
export type FeedbackState = z.infer<typeof feedbackState>;
/** Somebody still has to do something. */
export const openFeedbackStates: readonly FeedbackState[] = ['new', 'in-work'];

/** So many messages go along at most, and so many characters of them. */
export const mostSharedMessages = 20;
export const mostSharedCharacters = 32_000;

const rated = {
  rating: feedbackRating,
  reasons: z.array(feedbackReason).max(feedbackReason.options.length),
  comment: z.string().trim().max(2_000),
};
const person = z.strictObject({ userId, name: z.string() });
const reply = z.strictObject({ text: z.string(), by: z.string(), at: timestamp });

/** What somebody thinks of an answer that they got, as they see it themselves. */
export const ownFeedback = z.strictObject({
  id: feedbackId,
  messageId,
  ...rated,
  /** So many messages were sent along. */
  sharedMessages: z.number().int(),
  /** What came back from whoever takes care of it. */
  reply: reply.nullable(),
  ratedAt: timestamp,
});
export type OwnFeedback = z.infer<typeof ownFeedback>;

/** A rating as whoever takes care of it sees it in the list. */
export const feedbackItem = z.strictObject({
  id: feedbackId,
  ...rated,
  /** The question, where it was sent along: its first line. */
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

/** What was done with a case, as it is remembered there. */
export const feedbackStep = z.strictObject({
  at: timestamp,
  by: person,
  what: z.enum(['rated', 'state', 'assigned', 'noted', 'answered', 'read', 'curated']),
  /** The state, or who has it now. */
  to: z.string().nullable(),
});
export type FeedbackStep = z.infer<typeof feedbackStep>;

/** A case whole, without the conversation: that is read by itself. */
export const feedbackCase = feedbackItem.extend({
  /** Grows with each change: changes name the one that was seen. */
  revision: z.number().int(),
  note: z.string(),
  reply: reply.nullable(),
  /** How many messages can be read; 0 where none were sent along, or the chat was deleted since. */
  sharedMessages: z.number().int(),
  isChatDeleted: z.boolean(),
  /** Oldest first; of many the last hundred. */
  history: z.array(feedbackStep),
});
export type FeedbackCase = z.infer<typeof feedbackCase>;

/**
 * A message that was sent along. Of what it cites only the places: whoever reads the case opens a passage by their own
 * right, and learns no name of what they may not read.
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
 * Rates an answer of an own chat, or changes that rating; repeating it is harmless. `messages` is what the person agreed
 * to: the last so many up to the answer are copied into the case, never more; none takes back what was sent. While the
 * answer is written: 409 `chat.generation-running`.
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

/** Takes the rating back, with all that was sent along; also where there is none. */
export const withdrawFeedback = defineRoute({
  ...own,
  route: 'DELETE /api/chat/conversations/:conversationId/messages/:messageId/feedback',
  cost: 'write',
  status: 204,
  params: ofAnswer,
});

/** What I said of the answers of an own chat, and what was answered: the newest two hundred. */
export const listMyFeedback = defineRoute({
  ...own,
  permission: 'chat:read',
  cost: 'read',
  route: 'GET /api/chat/conversations/:conversationId/my-feedback',
  params: z.strictObject({ conversationId }),
  response: z.strictObject({ items: z.array(ownFeedback) }),
});

/** Who reads what is sent along, for whoever is asked to agree to it: some by name, and how many more. */
export const listFeedbackReaders = defineRoute({
  ...own,
  route: 'GET /api/chat/feedback-readers',
  cost: 'read',
  response: z.strictObject({ names: z.array(z.string()), more: z.number().int() }),
});

/** Newest first; without `state` those that somebody still has to do something about. Dates are days in UTC. */
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
    /** How many are open in all, counted up to a thousand. */
    open: z.number().int(),
  }),
});

const counted = z.strictObject({ up: z.number().int(), down: z.number().int() });

/** How answers were rated, by chatbot and version, in the last days, today included. Versions newest first. */
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
    /** More was rated than is added up: the earliest days are missing. */
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

/**
 * The messages that the reporter sent along. That somebody has read them stands in the case and in the audit log, once a
 * day and reader.
 */
export const readSharedMessages = defineRoute({
  ...read,
  route: 'GET /api/chat/feedback/:feedbackId/shared-messages',
  cost: 'read',
  params: one,
  response: z.strictObject({ items: z.array(sharedMessage) }),
});

/** `platform.conflict` with the current one where somebody else has changed it since. */
export const changeFeedback = defineRoute({
  ...managed,
  route: 'PATCH /api/chat/feedback/:feedbackId',
  cost: 'write',
  params: one,
  body: z.strictObject({
    revision,
    state: feedbackState.optional(),
    /** An active member who may read feedback. */
    assigneeId: userId.nullable().optional(),
    /** For whoever works on it; the reporter does not see it. */
    note: z.string().trim().max(2_000).optional(),
  }),
  response: feedbackCase,
});

/** Who can have a case: by name, a hundred at most. */
export const listAssignees = defineRoute({
  ...managed,
  route: 'GET /api/chat/feedback-assignees',
  cost: 'read',
  response: z.strictObject({ items: z.array(person) }),
});

/** The reporter sees it below the answer, at once. Another one takes its place. */
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
