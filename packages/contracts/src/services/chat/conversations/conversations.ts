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
  /** The sequence of the last stored change, without gaps in a conversation. Fetch `?after=` it to catch up. */
  sequence: z.number().int(),
  /** An answer is queued or running. */
  running: z.boolean(),
  /** The running answer. `conversation.open` follows its live stream. */
  runningAnswer: z.strictObject({ generationId, answerId: messageId }).nullable(),
  /** The conversation and message that it was branched from; missing if it began with a question. */
  branchedFrom: z.strictObject({ conversationId, messageId }).optional(),
  /** True if an answer ended that the person hasn't seen; `markRead` clears it. Missing: no. */
  unread: z.boolean().optional(),
  /** Number of the person's questions that wait in the conversation's queue (`listQueue`). Missing: none. */
  queued: z.number().int().optional(),
  /** True: the chat is listed on top (`only=pinned`). Missing: no. */
  pinned: z.boolean().optional(),
  /**
   * True: the chat is listed only among archived chats (`only=archived`), until a question is asked in it. Missing: no.
   */
  archived: z.boolean().optional(),
  /** The project of the chat. Missing: none. */
  projectId: projectId.optional(),
  /** The chatbot of its newest answer. Missing: none, or the answer is from before 0.4.0. */
  chatbotId: chatbotId.optional(),
  /**
   * Source and time of the chat's import. Missing: it began in Parley. Chats that earlier versions imported name no
   * import.
   */
  imported: z.strictObject({ source: importSource, at: timestamp, importId: importId.optional() }).optional(),
  createdAt: timestamp,
  /** The time of the last message. The list is sorted by it, newest first. */
  lastActivityAt: timestamp,
  version: z.number().int(),
});
export type Conversation = z.infer<typeof conversation>;

const inConversation = z.strictObject({ conversationId });
const organisationChat = { service: 'chat', scope: 'organisation' } as const;
const title = plainName(200);
/**
 * The chatbot that is asked, in its published version; missing: the organisation's default one. The model is used only
 * if the chatbot has none. `chat.chatbot-not-found` for a chatbot that the person can't use.
 */
export const askedOf = { chatbotId: chatbotId.optional(), model: modelKey.optional() };
/** Sends the model the names of images in place of the images. */
export const asNote = z.literal('note');
/** A question's text. It can be empty only if the question has a file. */
export const messageText = z.string().trim().max(limits.messageCharacters);

/**
 * Lists the person's conversations in this organisation, newest activity first: all that aren't archived, or only
 * pinned or archived ones. `project`: only those of that project, or of none. `import`: only those that this import
 * created, archived or not.
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

const mark = z.boolean().optional();
const marks = { pinned: mark, archived: mark, unread: mark };

/**
 * Pins or archives up to 100 of the person's conversations, or marks them as unread, or undoes that. Archiving a
 * conversation unpins it, pinning takes it out of the archive. A conversation without an ended answer can't be
 * unread. Each one is changed separately: `code` is the reason why it couldn't be changed, or null.
 */
export const markManyConversations = defineRoute({
  ...organisationChat,
  route: 'PUT /api/chat/conversation-marks',
  permission: 'chat:update',
  cost: 'bulk',
  body: z
    .strictObject({ conversationIds: z.array(conversationId).min(1).max(100), ...marks })
    .refine(({ pinned, archived, unread }) => [pinned, archived, unread].some((each) => each !== undefined), {
      message: 'must say whether they are pinned, archived or unread',
    })
    .refine(({ pinned, archived }) => !(pinned && archived), { message: 'must not be pinned and archived' }),
  response: z.strictObject({
    results: z.array(z.strictObject({ conversationId, code: z.enum(problemCodes).nullable() })),
  }),
});

/** Hides a conversation immediately. `restoreConversation` undoes it for 7 days, then it is erased. Idempotent. */
export const deleteConversation = defineRoute({
  ...organisationChat,
  route: 'DELETE /api/chat/conversations/:conversationId',
  permission: 'chat:delete',
  cost: 'write',
  status: 204,
  params: inConversation,
});

/** Restores a deleted conversation. 410 `chat.conversation-erased` once its erasing has begun. Idempotent. */
export const restoreConversation = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/restore',
  permission: 'chat:delete',
  cost: 'write',
  params: inConversation,
  response: conversation,
});

/**
 * Copies the path to a message, or all branches, into a new conversation of the person, with the same title and its
 * origin. Times and authors stay, ratings aren't copied, and nothing is billed again. A running answer is left out of
 * all branches, and is 409 `chat.generation-running` at the end of a path. The client makes the id, so a call that
 * broke off can be repeated.
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

/** Marks a conversation as read up to this sequence. Later changes stay unread. Idempotent. */
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
 * Stores the question and queues its answer in one transaction. The first message creates the conversation. The client
 * makes all ids, so a repeated call returns the same and stores nothing. 409 `chat.generation-running` while an answer
 * runs. With files: 404 `chat.file-not-found`, 409 `chat.file-not-ready`, 422 `chat.file-unreadable`.
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
      /**
       * The answer that the question follows; null: the question starts another path. Missing: the newest answer with
       * text of the newest question.
       */
      parentId: messageId.nullable().optional(),
      answerId: clientIdOf('message'),
      generationId: clientIdOf('generation'),
      text: messageText,
      files: askedFiles.optional(),
      /**
       * Puts the conversation that this message creates into one of the person's projects. Ignored in an existing
       * conversation.
       */
      projectId: projectId.optional(),
      ...askedOf,
    })
    .refine(asksSomething, asksNothing),
  response: accepted,
});

/**
 * Answers a question again (regenerate, retry). Earlier answers stay as versions. `continues` names an ended answer of
 * the same question with text: the new version starts with its text, continues it, and keeps it even if the new attempt
 * fails; 404 `chat.message-not-found` for any other message. `images: 'note'`: the model gets only the names of images.
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
 * Discards a question that a budget refused before any model was asked, or brings it back. Its text is kept for
 * bringing it back and shown to nobody. `platform.conflict` for any other question. Idempotent.
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

/** Stops an answer, which ends as `stopped` with the text so far. An answer that has ended stays as it is. */
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
