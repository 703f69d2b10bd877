import { z } from 'zod';
import { conversationId, documentId, generationId, messageId, orgId, userId } from '../ids.ts';
import { defineEvent } from './define-event.ts';

const inConversation = { orgId, conversationId, /** Whose sockets hear of it. */ memberIds: z.array(userId) };
const attempt = { ...inConversation, generationId, answerId: messageId, userId, model: z.string() };
const ofConversation = { key: 'conversationId', live: 'conversation' } as const;

export const conversationChanged = defineEvent('conversation.changed.v1', 'chat', {
  data: z.object({ ...inConversation, change: z.enum(['created', 'renamed', 'deleted', 'restored']) }),
  ...ofConversation,
});
export const messageCreated = defineEvent('message.created.v1', 'chat', {
  data: z.object({ ...inConversation, messageId, authorId: userId }),
  ...ofConversation,
});
export const generationQueued = defineEvent('generation.queued.v1', 'chat', {
  data: z.object(attempt),
  identity: ['generationId'],
  ...ofConversation,
});
/**
 * One attempt ended, with what it used. Billing writes one ledger entry per `generationId:attempt`; not `final` means
 * that a restart follows.
 */
export const generationAttemptEnded = defineEvent('generation.attempt-ended.v1', 'chat', {
  data: z.object({
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
  identity: ['generationId', 'attempt'],
  ...ofConversation,
});
/** A document more or less also changes what answers can draw on, which the models tell. */
export const documentChanged = defineEvent('document.changed.v1', 'chat', {
  data: z.object({
    orgId,
    documentId,
    status: z.enum(['stored', 'reading', 'searchable', 'failed', 'deleted']),
    passageCount: z.number().int(),
  }),
  key: 'documentId',
  live: { room: 'organisation', permission: 'data_connection:read', resources: ['documents', 'models'] },
});
/** Models or providers changed: pickers fetch again. */
export const providersChanged = defineEvent('providers.changed.v1', 'chat', {
  data: z.object({ orgId }),
  key: 'orgId',
  live: { room: 'organisation', resources: ['models', 'providers'] },
});

export const chatEvents = {
  conversationChanged,
  messageCreated,
  generationQueued,
  generationAttemptEnded,
  documentChanged,
  providersChanged,
};
