import { z } from 'zod';
import { defineEvent } from '../events/define-event.ts';
import { conversationId, feedbackId, messageId, orgId, userId } from '../ids.ts';
import { chatbotVersionRef } from './chat-chatbots.ts';
import { feedbackRating, feedbackState } from './chat-feedback.ts';

/**
 * A rating came, changed, was taken back, or something was done with its case. `before` is the state until now, where
 * that changed.
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
  outside: ['feedbackId', 'conversationId', 'messageId', 'change', 'rating', 'state', 'chatbot'],
});

/** What somebody sees of their own ratings is old: they rated in another tab, or were answered. */
export const feedbackNoted = defineEvent('feedback.noted.v1', 'chat', {
  data: z.object({ orgId, feedbackId, conversationId, messageId, userId }),
  key: 'feedbackId',
  live: { room: 'person', resources: ['my-feedback'] },
});
