import {
  chatbotGlyph,
  chatbotId,
  chatbotVersionRef,
  chunkId,
  conversationId,
  curatedAnswerId,
  feedbackId,
  feedbackRating,
  feedbackReason,
  feedbackState,
  feedbackStep,
  generationId,
  messageId,
  modelKey,
} from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const person = z.strictObject({ userId, name: z.string() });
const count = z.number().int();

/** One person's rating of one answer, and what is done about it. What they sent along lies in a row of its own. */
export const feedbackRows = collection(
  'feedback',
  {
    _id: feedbackId,
    orgId,
    conversationId,
    messageId,
    generationId,
    reporter: person,
    rating: feedbackRating,
    reasons: z.array(feedbackReason),
    comment: z.string(),
    /** So many messages they agreed to send, and so many there are. */
    agreedMessages: count,
    sharedMessages: count,
    question: z.string().nullable(),
    chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }),
    model: z.strictObject({ key: modelKey, label: z.string() }),
    state: feedbackState.nullable(),
    assignee: person.nullable(),
    note: z.string(),
    reply: z.strictObject({ text: z.string(), by: z.string(), at: z.date() }).nullable(),
    isChatDeleted: z.boolean(),
    history: z.array(feedbackStep.extend({ at: z.date() })),
    ratedAt: z.date(),
    revision: count,
    /** One for each combination of filters that finds it. */
    filterKeys: z.array(z.string()),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, filterKeys: 1, ratedAt: -1, _id: -1 },
      { conversationId: 1, ratedAt: -1 },
    ],
    keys: ['filterKeys'],
  },
);
export type NewFeedback = RowOf<typeof feedbackRows>;
export type FeedbackRow = ReadOf<typeof feedbackRows>;

/** The messages that a reporter has sent along: a copy, which goes when the chat goes. */
export const sharedMessageRows = collection(
  'feedback_messages',
  {
    _id: feedbackId,
    orgId,
    conversationId,
    messages: z.array(
      z.strictObject({
        id: messageId,
        role: z.enum(['person', 'assistant']),
        text: z.string(),
        at: z.date(),
        citations: z.array(z.strictObject({ number: count, chunkId, curatedAnswerId: curatedAnswerId.nullable() })),
      }),
    ),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ conversationId: 1 }] },
);
export type SharedMessages = RowOf<typeof sharedMessageRows>['messages'];

/** How the answers of a version were rated that were rated first on a day; nothing is added up from the ratings. */
export const feedbackCountRows = collection(
  'feedback_counts',
  {
    /** `<chatbot>/<version>/<day>` */
    _id: z.string(),
    orgId,
    /** In UTC. */
    day: z.iso.date(),
    chatbotId,
    version: count,
    /** As it was called then. */
    name: z.string(),
    glyph: chatbotGlyph,
    up: count,
    down: count,
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, day: -1 }] },
);
export type FeedbackCountRow = RowOf<typeof feedbackCountRows>;
