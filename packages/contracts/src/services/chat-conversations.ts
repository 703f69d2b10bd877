import { z } from 'zod';
import {
  chatbotId,
  chunkId,
  conversationId,
  curatedAnswerId,
  documentId,
  generationId,
  messageId,
  userId,
} from '../ids.ts';
import { plainName } from '../plain-text.ts';
import { defineRoute, limits } from '../http/define-route.ts';
import { chatbotGlyph, chatbotVersionRef } from './chat-chatbots.ts';
import { generationFailure, modelKey } from './chat-models.ts';
import { getPassage, searchMessages } from './chat-search.ts';
import { passagePlace } from './chat-documents.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';

/** queued → running → done | stopped | failed | interrupted. */
export const generationStatus = z.enum(['queued', 'running', 'done', 'stopped', 'failed', 'interrupted']);
export type GenerationStatus = z.infer<typeof generationStatus>;

export const conversation = z.strictObject({
  id: conversationId,
  title: z.string(),
  /** The last durable change: fetch `?after=` it to catch up. Gap-free per conversation. */
  sequence: z.number().int(),
  /** An answer is queued or being written. */
  running: z.boolean(),
  /** Which one: its live stream is followed by `conversation.open`. */
  runningAnswer: z.strictObject({ generationId, answerId: messageId }).nullable(),
  createdAt: timestamp,
  /** Last message; the list is sorted by it, newest first. */
  lastActivityAt: timestamp,
  version: z.number().int(),
});
export type Conversation = z.infer<typeof conversation>;

/** A numbered source of an answer; `[n]` in the text refers to it. The passage opens by `chunkId`. */
export const citation = z.strictObject({
  number: z.number().int().positive(),
  documentId,
  chunkId,
  documentName: z.string(),
  heading: z.string().nullable(),
  place: passagePlace.optional(),
  /** It is a curated answer, whose question stands as the document's name; the other two ids then name nothing else. */
  curated: z.strictObject({ id: curatedAnswerId, by: z.string(), at: timestamp }).optional(),
});
export type Citation = z.infer<typeof citation>;

export const usage = z.strictObject({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** How many of the input tokens the model server had kept from before; absent where it does not say. */
  cachedTokens: z.number().int().optional(),
  estimated: z.boolean(),
});
export type Usage = z.infer<typeof usage>;

/**
 * What a model thought before its answer, as its server tells it: shown folded, never part of the answer's text and sent
 * to no model again. `ms` runs from its first word to the answer's first, or to the end.
 */
export const thoughts = z.strictObject({ text: z.string(), ms: z.number().int().nonnegative() });
export type Thoughts = z.infer<typeof thoughts>;

/** The model that was asked first, and why it gave no word; the chatbot's other model has answered. */
export const fellBackFrom = z.strictObject({ label: z.string(), failure: generationFailure });

export const message = z.strictObject({
  id: messageId,
  conversationId,
  /** Place in the conversation, 1, 2, 3 …; never changes. */
  position: z.number().int(),
  /** The conversation's sequence at this message's last change. */
  sequence: z.number().int(),
  role: z.enum(['person', 'assistant']),
  text: z.string(),
  createdAt: timestamp,
  author: z.strictObject({ userId, name: z.string() }).nullable(),
  /**
   * What it follows: of an answer its question (several answers of one question are versions, the last is shown), of a
   * question the answer before it; null at the start.
   */
  parentId: messageId.nullable(),
  generation: z
    .strictObject({
      id: generationId,
      status: generationStatus,
      failure: generationFailure.nullable(),
      /** What the provider said, shortened and without secrets, shown under details; or as the reason says. */
      failureDetail: z.string().nullable(),
      /** Of `output-limit`: the budget had room for a shorter answer only. Absent where the limit was another one. */
      limitedBy: z.literal('budget').optional(),
      /** Fencing epoch of the attempt whose text this is; 0 while queued. */
      epoch: z.number().int(),
      /** A restart began after an interruption (ISO time of it). */
      resumedAt: timestamp.nullable(),
      model: z.strictObject({ key: modelKey, label: z.string() }),
      /** Which chatbot answered, as it was then; null for answers from before there were any. */
      chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }).nullable(),
      startedAt: timestamp.nullable(),
      finishedAt: timestamp.nullable(),
      usage: usage.nullable(),
      /** Absent where there are none. */
      thoughts: thoughts.optional(),
      /** Absent where the first model has answered. */
      fellBackFrom: fellBackFrom.optional(),
    })
    .nullable(),
  citations: z.array(citation),
  /** A question that its author has thrown away, without its text: nobody is shown it, nor its answers. Absent: it is not. */
  isDiscarded: z.boolean().optional(),
});
export type Message = z.infer<typeof message>;

const inConversation = z.strictObject({ conversationId });
const organisationChat = { service: 'chat', scope: 'organisation' } as const;
const title = plainName(200);
/**
 * The chatbot in its published version, else the organisation's default one; a model counts only where the chatbot names
 * none. `chat.chatbot-not-found` for one that the asker may not use.
 */
const asked = { chatbotId: chatbotId.optional(), model: modelKey.optional() };
const messageText = z.string().trim().min(1).max(limits.messageCharacters);

/** My conversations in this organisation, newest activity first. */
export const listConversations = defineRoute({
  ...organisationChat,
  route: 'GET /api/chat/conversations',
  permission: 'chat:read',
  cost: 'read',
  query: pageQuery,
  response: pageOf(conversation),
});

export const getConversation = defineRoute({
  ...organisationChat,
  route: 'GET /api/chat/conversations/:conversationId',
  permission: 'chat:read',
  cost: 'read',
  params: inConversation,
  response: conversation,
});

export const renameConversation = defineRoute({
  ...organisationChat,
  route: 'PATCH /api/chat/conversations/:conversationId',
  permission: 'chat:update',
  cost: 'write',
  params: inConversation,
  body: z.strictObject({ version: z.number().int(), title }),
  response: conversation,
});

/** Hides it at once; `restoreConversation` undoes it for 7 days, then it is erased for good. Idempotent. */
export const deleteConversation = defineRoute({
  ...organisationChat,
  route: 'DELETE /api/chat/conversations/:conversationId',
  permission: 'chat:delete',
  cost: 'write',
  status: 204,
  params: inConversation,
});

/** 410 `chat.conversation-erased` once its erasing has begun. Idempotent. */
export const restoreConversation = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/restore',
  permission: 'chat:delete',
  cost: 'write',
  params: inConversation,
  response: conversation,
});

/**
 * Returns either the newest page (`before` pages back by position) or, with `after=<sequence>`, the messages changed
 * since, oldest change first. A page holds at most 300 kB; a single message that is larger is a page of its own. `sequence`
 * is the next `after`: the conversation's at the moment of reading or, with `hasNewer`, that of the last item.
 */
export const listMessages = defineRoute({
  ...organisationChat,
  route: 'GET /api/chat/conversations/:conversationId/messages',
  permission: 'chat:read',
  cost: 'read',
  params: inConversation,
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(limits.pageSize).default(50),
    before: z.coerce.number().int().min(1).optional(),
    after: z.coerce.number().int().min(0).optional(),
  }),
  response: z.strictObject({
    items: z.array(message),
    sequence: z.number().int(),
    hasOlder: z.boolean(),
    /** With `after`: there may be more changes behind this page. Absent: no. */
    hasNewer: z.boolean().optional(),
    title: z.string(),
  }),
});

const accepted = z.strictObject({ message, answer: message, conversation });
export type Accepted = z.infer<typeof accepted>;

/**
 * Stores the question and queues its answer in one transaction; the first message makes the conversation. All ids are
 * made by the client, so repeating the call returns the same and writes nothing. 409 `chat.generation-running` while an
 * answer is being written.
 */
export const sendMessage = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/messages',
  permission: 'chat:create',
  cost: 'question',
  status: 202,
  params: inConversation,
  body: z.strictObject({ messageId, answerId: messageId, generationId, text: messageText, ...asked }),
  response: accepted,
});

/**
 * Answers a question again (regenerate, retry); the earlier answers stay as versions. With `continues`, an ended answer
 * of the same question that has text, the new version begins with that text and goes on where it stopped; it keeps it
 * however it ends. 404 `chat.message-not-found` for any other message there.
 */
export const answerAgain = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/answers',
  permission: 'chat:create',
  cost: 'question',
  status: 202,
  params: inConversation,
  body: z.strictObject({
    parentId: messageId,
    answerId: messageId,
    generationId,
    ...asked,
    continues: messageId.optional(),
  }),
  response: z.strictObject({ answer: message, conversation }),
});

/**
 * Throws away a question that was refused for its budget before any model was asked, or takes that back; its text is
 * kept for that, and given to nobody meanwhile. Any other question is `platform.conflict`. Repeating it is harmless.
 */
export const discardMessage = defineRoute({
  ...organisationChat,
  route: 'PUT /api/chat/conversations/:conversationId/messages/:messageId/discarded',
  permission: 'chat:delete',
  cost: 'write',
  params: z.strictObject({ conversationId, messageId }),
  body: z.strictObject({ isDiscarded: z.boolean() }),
  response: message,
});

/** A command: the answer ends as `stopped` with the text so far. Harmless when it has ended already. */
export const stopGeneration = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/generations/:generationId/stop',
  permission: 'chat:update',
  cost: 'write',
  status: 202,
  params: z.strictObject({ conversationId, generationId }),
  response: z.strictObject({ status: generationStatus }),
});

export const conversationRoutes = {
  listConversations,
  getConversation,
  renameConversation,
  deleteConversation,
  restoreConversation,
  listMessages,
  searchMessages,
  sendMessage,
  answerAgain,
  discardMessage,
  stopGeneration,
  getPassage,
};
