import { defineRoute, pageOf, pageQuery, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, clientIdOf, conversationId, generationId, importId, messageId, projectId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';
import { limits } from '../../../limits/sizes.ts';
import {
  countBranch,
  deleteMessage,
  generationStatus,
  listDeletedMessages,
  listMessages,
  listPath,
  message,
  moveInConversation,
  restoreMessage,
} from './messages.ts';
import { askedFiles, asksNothing, asksSomething } from '../knowledge/files.ts';
import { importSource } from '../workspace/import-report.ts';
import { modelKey } from '../assistants/models.ts';
import { getPassage, searchMessages } from '../knowledge/search.ts';
import { problemCodes } from '../../../problems.ts';

export const conversation = z.strictObject({
  id: conversationId,
  title: z.string(),
  /** The last durable change: fetch `?after=` it to catch up. Gap-free per conversation. */
  sequence: z.number().int(),
  /** An answer is queued or being written. */
  running: z.boolean(),
  /** Which one: its live stream is followed by `conversation.open`. */
  runningAnswer: z.strictObject({ generationId, answerId: messageId }).nullable(),
  /** The message up to which it was copied, and of which conversation; absent where it was begun with a question. */
  branchedFrom: z.strictObject({ conversationId, messageId }).optional(),
  /** An answer has ended that I have not seen: `markRead` says that I have. Absent: no. */
  unread: z.boolean().optional(),
  /** How many of my questions wait in its queue (`listQueue`). Absent: none. */
  queued: z.number().int().optional(),
  /** It is listed on top (`only=pinned`). Absent: no. */
  pinned: z.boolean().optional(),
  /** It is in no list but that of archived ones (`only=archived`) until a question is asked in it. Absent: no. */
  archived: z.boolean().optional(),
  /** The project that it is in. Absent: none. */
  projectId: projectId.optional(),
  /** The chatbot that gave its newest answer. Absent: none has, or not since 0.4.0. */
  chatbotId: chatbotId.optional(),
  /** Says where it was imported from, and when. Absent: it began here. Chats that earlier versions imported name no import. */
  imported: z.strictObject({ source: importSource, at: timestamp, importId: importId.optional() }).optional(),
  createdAt: timestamp,
  /** Last message; the list is sorted by it, newest first. */
  lastActivityAt: timestamp,
  version: z.number().int(),
});
export type Conversation = z.infer<typeof conversation>;

const inConversation = z.strictObject({ conversationId });
const organisationChat = { service: 'chat', scope: 'organisation' } as const;
const title = plainName(200);
/**
 * The chatbot in its published version, else the organisation's default one; a model counts only where the chatbot names
 * none. `chat.chatbot-not-found` for one that the asker may not use.
 */
export const askedOf = { chatbotId: chatbotId.optional(), model: modelKey.optional() };
/** Asks for an answer from a model that is told the names of images instead of being sent them. */
export const asNote = z.literal('note');
/** Empty only beside a file. */
export const messageText = z.string().trim().max(limits.messageCharacters);

/**
 * My conversations in this organisation, newest activity first: all that aren't archived, or only those that are pinned or
 * archived; with `project` only those of that project of mine, or of none. `import` lists those that this import of mine
 * brought, archived or not.
 */
export const listConversations = defineRoute({
  ...organisationChat,
  route: 'GET /api/chat/conversations',
  permission: 'chat:read',
  cost: 'read',
  query: pageQuery.extend({
    only: z.enum(['pinned', 'archived']).optional(),
    project: z.union([projectId, z.literal('none')]).optional(),
    import: importId.optional(),
  }),
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

const marks = { pinned: z.boolean().optional(), archived: z.boolean().optional() };

/**
 * Pins or archives up to 100 of my conversations, or takes that back; an archived one is not pinned. Each is a change of
 * its own: `code` says why one stays as it is, null where it was done or was so already.
 */
export const markManyConversations = defineRoute({
  ...organisationChat,
  route: 'PUT /api/chat/conversation-marks',
  permission: 'chat:update',
  cost: 'bulk',
  body: z
    .strictObject({ conversationIds: z.array(conversationId).min(1).max(100), ...marks })
    .refine(({ pinned, archived }) => pinned !== undefined || archived !== undefined, {
      message: 'must say whether they are pinned or archived',
    })
    .refine(({ pinned, archived }) => !(pinned && archived), { message: 'must not be pinned and archived' }),
  response: z.strictObject({
    results: z.array(z.strictObject({ conversationId, code: z.enum(problemCodes).nullable() })),
  }),
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
 * Copies the path up to a message, or all branches, into a new conversation of the caller, which has the same title and
 * says where it came from. Times and authors stay, ratings don't come along, and nothing is billed again. An answer that
 * is being written is left out of all branches, and is 409 `chat.generation-running` at the end of a path. The client makes
 * the id: a call that was cut off is repeated and goes on.
 */
export const branchConversation = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/branches',
  permission: 'chat:create',
  cost: 'write',
  status: 201,
  params: inConversation,
  body: z.strictObject({ id: clientIdOf('conversation'), messageId, copies: z.enum(['path', 'all']) }),
  response: conversation,
});

/** I have seen all up to this sequence. What has changed since stays unread. Idempotent. */
export const markRead = defineRoute({
  ...organisationChat,
  route: 'PUT /api/chat/conversations/:conversationId/read',
  permission: 'chat:read',
  cost: 'write',
  status: 204,
  params: inConversation,
  body: z.strictObject({ sequence: z.number().int() }),
});

const accepted = z.strictObject({ message, answer: message, conversation });
export type Accepted = z.infer<typeof accepted>;

/**
 * Stores the question and queues its answer in one transaction; the first message makes the conversation. All ids are
 * made by the client, so repeating the call returns the same and writes nothing. 409 `chat.generation-running` while an
 * answer is being written. With files: 404 `chat.file-not-found`, 409 `chat.file-not-ready`, 422 `chat.file-unreadable`.
 */
export const sendMessage = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/messages',
  permission: 'chat:create',
  cost: 'question',
  status: 202,
  params: inConversation,
  body: z
    .strictObject({
      messageId: clientIdOf('message'),
      /** The answer that it follows; null: none, as another first question. Absent: the newest answer with text of the newest question. */
      parentId: messageId.nullable().optional(),
      answerId: clientIdOf('message'),
      generationId: clientIdOf('generation'),
      text: messageText,
      files: askedFiles.optional(),
      /** Puts the conversation that this message creates into a project of mine. Ignored in a conversation that exists. */
      projectId: projectId.optional(),
      ...askedOf,
    })
    .refine(asksSomething, asksNothing),
  response: accepted,
});

/**
 * Answers a question again (regenerate, retry); the earlier answers stay as versions. With `continues`, an ended answer
 * of the same question that has text, the new version begins with that text and goes on where it stopped; it keeps it
 * however it ends. 404 `chat.message-not-found` for any other message there. With `images: 'note'` the model is told the
 * names of the images only.
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
    answerId: clientIdOf('message'),
    generationId: clientIdOf('generation'),
    ...askedOf,
    continues: messageId.optional(),
    images: asNote.optional(),
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
  markManyConversations,
  deleteConversation,
  restoreConversation,
  branchConversation,
  markRead,
  listMessages,
  listPath,
  moveInConversation,
  countBranch,
  deleteMessage,
  restoreMessage,
  listDeletedMessages,
  searchMessages,
  sendMessage,
  answerAgain,
  discardMessage,
  stopGeneration,
  getPassage,
};
