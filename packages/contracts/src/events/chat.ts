import { z } from 'zod';
import { conversationId, documentId, generationId, messageId, orgId, userId } from '../ids.ts';
import { defineEvent, topics } from './define-event.ts';

const inConversation = { orgId, conversationId, /** Whose sockets hear of it. */ memberIds: z.array(userId) };
const attempt = { ...inConversation, generationId, answerId: messageId, userId, model: z.string() };

/** Key: conversation id, for every event of this file unless it says otherwise. */
export const conversationChanged = defineEvent(
  'conversation.changed.v1', topics.chat,
  z.object({ ...inConversation, change: z.enum(['created', 'renamed', 'deleted', 'restored']) }),
);
export const messageCreated = defineEvent('message.created.v1', topics.chat, z.object({ ...inConversation, messageId, authorId: userId }));
export const generationQueued = defineEvent('generation.queued.v1', topics.chat, z.object(attempt));
/** One attempt ended, with what it used. Billing writes one ledger entry per `generationId:attempt`; not `final` means that a restart follows. */
export const generationAttemptEnded = defineEvent(
  'generation.attempt-ended.v1', topics.chat,
  z.object({
    ...attempt,
    attempt: z.number().int().positive(),
    outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
    final: z.boolean(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    estimated: z.boolean(),
    queuedMs: z.number().int(),
    firstTokenMs: z.number().int().nullable(),
    durationMs: z.number().int(),
  }),
);
/** Key: document id. */
export const documentChanged = defineEvent(
  'document.changed.v1', topics.chat,
  z.object({ orgId, documentId, status: z.enum(['stored', 'reading', 'searchable', 'failed', 'deleted']), passageCount: z.number().int() }),
);
/** Key: organisation id. Models or providers changed: pickers fetch again. */
export const providersChanged = defineEvent('providers.changed.v1', topics.chat, z.object({ orgId }));

export const chatEvents = {
  conversationChanged, messageCreated, generationQueued, generationAttemptEnded, documentChanged, providersChanged,
};
