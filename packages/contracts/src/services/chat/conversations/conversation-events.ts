import { defineEvent, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotVersionRef } from '../assistants/chatbots.ts';
import { conversationId, generationId, groupId, messageId } from '../../../ids.ts';

const told = { orgId, conversationId, /** Whose sockets hear of it. */ memberIds: z.array(userId) };
const toldAttempt = {
  ...told,
  generationId,
  answerId: messageId,
  userId,
  model: z.string(),
  /** Missing in events of earlier versions. */
  chatbot: chatbotVersionRef.optional(),
  /** When the answer was requested, also if the event is republished; missing in events of earlier versions. */
  queuedAt: timestamp.optional(),
};
const ofConversation = { key: 'conversationId', live: 'conversation', audit: "People's own chats." } as const;

export const conversationChanged = defineEvent('conversation.changed.v1', 'chat', {
  data: z.object({ ...told, change: z.enum(['created', 'renamed', 'deleted', 'restored']) }),
  ...ofConversation,
});
/**
 * A person read a conversation up to the sequence `upTo`. `memberIds` is that person alone: their other devices show it
 * as read. The event has its own sequence per person.
 */
export const conversationReadMarked = defineEvent('conversation.read-marked.v1', 'chat', {
  data: z.object({ ...told, userId, upTo: z.number().int() }),
  key: 'userId',
  live: 'conversation',
  audit: "People's own chats.",
});
/** A chat was pinned, unpinned, archived or unarchived, or its unread mark was set or removed. */
export const conversationMarked = defineEvent('conversation.marked.v1', 'chat', {
  data: z.object({ ...told, pinned: z.boolean(), archived: z.boolean() }),
  ...ofConversation,
});
/** A question was asked or edited. An edit creates a new message with the same parent. */
export const messageCreated = defineEvent('message.created.v1', 'chat', {
  data: z.object({ ...told, messageId, authorId: userId }),
  ...ofConversation,
  outside: ['conversationId', 'messageId'],
});
/** A refused question was discarded or brought back. */
export const messageChanged = defineEvent('message.changed.v1', 'chat', {
  data: z.object({ ...told, messageId, change: z.enum(['discarded', 'restored']) }),
  ...ofConversation,
});
/** Shared by two events: a message was deleted or restored, with everything below it. */
const ofBranch = {
  data: z.object({ ...told, messageId }),
  ...ofConversation,
  outside: ['conversationId', 'messageId'],
} as const;
export const messageDeleted = defineEvent('message.deleted.v1', 'chat', ofBranch);
export const messageRestored = defineEvent('message.restored.v1', 'chat', ofBranch);
export const generationQueued = defineEvent('generation.queued.v1', 'chat', {
  data: z.object(toldAttempt),
  identity: ['generationId'],
  ...ofConversation,
  outside: ['generationId', 'conversationId', 'model', 'chatbot', 'queuedAt'],
});
/**
 * An attempt ended, with its usage. Billing writes one ledger entry per `generationId:attempt`. If `final` is false,
 * another attempt follows.
 */
export const generationAttemptEnded = defineEvent('generation.attempt-ended.v1', 'chat', {
  data: z.object({
    ...toldAttempt,
    attempt: z.number().int().positive(),
    outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
    final: z.boolean(),
    /**
     * True if a budget refused the answer: no model was asked, nothing was used, and no provider failed. Missing if a
     * model was asked.
     */
    isRefused: z.boolean().optional(),
    /**
     * Why it failed: a `GenerationFailure` as text, so that earlier releases can read unknown ones. `isCut` tells
     * whether the answer was cut, which `outcome` calls `failed` for those releases. Missing if nothing failed, and in
     * events of versions up to 0.3.0.
     */
    cause: z.string().optional(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    /** Input tokens that the model server had cached; missing if the server doesn't say. */
    cachedTokens: z.number().int().optional(),
    estimated: z.boolean(),
    /** Server and model that were asked; null for the built-in assistant; missing in events of earlier versions. */
    upstream: z.object({ host: z.string(), model: z.string() }).nullable().optional(),
    queuedMs: z.number().int(),
    firstTokenMs: z.number().int().nullable(),
    durationMs: z.number().int(),
    /** The asker's groups; missing in events of earlier versions. */ groupIds: z.array(groupId).optional(),
    /** When the attempt ended, also if the event is republished; missing in events of earlier versions. */
    endedAt: timestamp.optional(),
  }),
  identity: ['generationId', 'attempt'],
  ...ofConversation,
  outside: [
    'generationId',
    'conversationId',
    'model',
    'chatbot',
    'attempt',
    'outcome',
    'final',
    'isRefused',
    'cause',
    'inputTokens',
    'outputTokens',
    'cachedTokens',
    'estimated',
    'queuedMs',
    'firstTokenMs',
    'durationMs',
    'queuedAt',
    'endedAt',
  ],
});
