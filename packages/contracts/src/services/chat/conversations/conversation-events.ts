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
  /** Absent in what earlier versions told. */
  chatbot: chatbotVersionRef.optional(),
  /** When it was asked for, also where that is told again; absent in what earlier versions told. */
  queuedAt: timestamp.optional(),
};
const ofConversation = { key: 'conversationId', live: 'conversation', audit: "People's own chats." } as const;

export const conversationChanged = defineEvent('conversation.changed.v1', 'chat', {
  data: z.object({ ...told, change: z.enum(['created', 'renamed', 'deleted', 'restored']) }),
  ...ofConversation,
});
/**
 * A person has seen all of it up to `upTo`, a sequence of the conversation. `memberIds` is that person alone: their other
 * devices show it as read. Its own sequence is the person's.
 */
export const conversationReadMarked = defineEvent('conversation.read-marked.v1', 'chat', {
  data: z.object({ ...told, userId, upTo: z.number().int() }),
  key: 'userId',
  live: 'conversation',
  audit: "People's own chats.",
});
/** It was pinned or archived, or that was taken back. */
export const conversationMarked = defineEvent('conversation.marked.v1', 'chat', {
  data: z.object({ ...told, pinned: z.boolean(), archived: z.boolean() }),
  ...ofConversation,
});
/** A question was asked, or edited: an edit is a new message beside the one that it was made from. */
export const messageCreated = defineEvent('message.created.v1', 'chat', {
  data: z.object({ ...told, messageId, authorId: userId }),
  ...ofConversation,
  outside: ['conversationId', 'messageId'],
});
/** A question that was refused was thrown away, or that was taken back. */
export const messageChanged = defineEvent('message.changed.v1', 'chat', {
  data: z.object({ ...told, messageId, change: z.enum(['discarded', 'restored']) }),
  ...ofConversation,
});
/** A message and all that follows from it was deleted, or that was taken back. */
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
 * One attempt ended, with what it used. Billing writes one ledger entry per `generationId:attempt`; not `final` means
 * that a restart follows.
 */
export const generationAttemptEnded = defineEvent('generation.attempt-ended.v1', 'chat', {
  data: z.object({
    ...toldAttempt,
    attempt: z.number().int().positive(),
    outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
    final: z.boolean(),
    /** Refused for its budget: no model was asked, nothing was used, and no provider failed. Absent where one was asked. */
    isRefused: z.boolean().optional(),
    /**
     * Why it failed: a `GenerationFailure`, as text, so that a release before reads one that it doesn't know. With
     * `isCut` of it the answer was cut, which `outcome` calls `failed` for those releases. Absent where nothing failed,
     * and in what versions up to 0.3.0 told.
     */
    cause: z.string().optional(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    /** How many of the input tokens the model server had kept from before; absent where it does not say. */
    cachedTokens: z.number().int().optional(),
    estimated: z.boolean(),
    /** Which model of which server was asked; null is the built-in assistant; absent in what earlier versions told. */
    upstream: z.object({ host: z.string(), model: z.string() }).nullable().optional(),
    queuedMs: z.number().int(),
    firstTokenMs: z.number().int().nullable(),
    durationMs: z.number().int(),
    /** Of the asker; absent in what earlier versions told. */ groupIds: z.array(groupId).optional(),
    /** When it ended, also where that is told again; absent in what earlier versions told. */
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
