import { defineEvent, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { conversationId, feedbackId, messageId } from '../../../ids.ts';
import { chatbotVersionRef } from '../assistants/chatbots.ts';
import { feedbackRating, feedbackState, type FeedbackState } from './feedback.ts';

/** Names the acts on feedback that the audit log records. Ratings, notes and assignments are left out. */
const acts = {
  state: 'feedback.state-changed',
  answered: 'feedback.answered',
  read: 'feedback.messages-read',
} as const;
const codeOf = (state: FeedbackState | null | undefined) => (state ? auditValues.code(state) : null);

/**
 * A rating was added, changed or withdrawn, or its case changed. `before` is the former state of the case, if the state
 * changed.
 */
export const feedbackChanged = defineEvent('feedback.changed.v1', 'chat', {
  data: z.object({
    orgId,
    feedbackId,
    conversationId,
    messageId,
    /** Who rated. */
    userId,
    by: userId,
    change: z.enum(['rated', 'withdrawn', 'state', 'assigned', 'noted', 'answered', 'read', 'curated', 'emptied']),
    rating: feedbackRating,
    state: feedbackState.nullable(),
    before: feedbackState.nullable().optional(),
    chatbot: chatbotVersionRef,
  }),
  key: 'feedbackId',
  live: { room: 'organisation', permission: 'feedback:read', resources: ['feedback', 'feedback-counts'] },
  audit: ({ feedbackId: id, userId: namedAfter, by, change, before, state }) => {
    if (change !== 'state' && change !== 'answered' && change !== 'read') return null;
    const act = acts[change];
    const changes = change === 'state' ? changesBetween({ state: codeOf(before) }, { state: codeOf(state) }) : [];
    return { act, by, target: { of: 'feedback', id, name: null, namedAfter }, changes };
  },
  outside: ['feedbackId', 'conversationId', 'messageId', 'change', 'rating', 'state', 'chatbot'],
});

/** A person's own ratings changed: they rated in another tab, or got a reply. */
export const feedbackNoted = defineEvent('feedback.noted.v1', 'chat', {
  data: z.object({ orgId, feedbackId, conversationId, messageId, userId }),
  key: 'feedbackId',
  live: { room: 'person', resources: ['my-feedback'] },
  audit: 'feedback.changed says it.',
});
