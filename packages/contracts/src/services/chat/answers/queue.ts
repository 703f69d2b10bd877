import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { clientIdOf, conversationId, generationId, messageId } from '../../../ids.ts';
import { askedOf, asNote, messageText } from '../conversations/conversations.ts';
import { askedFiles, asksNothing, asksSomething, waitingFile } from '../knowledge/files.ts';

/** Limits the waiting questions of one conversation. */
export const mostQueued = 20;

/** A question, or a request for another answer, that waits until no other answer runs in its conversation. */
export const queuedQuestion = z.strictObject({
  /** The id of the message that this item becomes on its turn: the question, or with `again` the answer. */
  id: messageId,
  kind: z.enum(['question', 'again']),
  /**
   * For a question: the answer that it follows, which can be running or waiting; null for a question at the start of
   * another path. For `again`: the question to answer.
   */
  parentId: messageId.nullable(),
  /** Empty of `again`. */
  text: z.string(),
  /** Absent: none. */
  files: z.array(waitingFile).optional(),
  /** With `again`: the answer to continue. Missing: the answer starts from the beginning. */
  continues: messageId.optional(),
  /** With `again`: sends the model only the names of images. Missing: it gets the images that it may accept. */
  images: asNote.optional(),
  answerId: messageId,
  generationId,
  ...askedOf,
  author: z.strictObject({ userId, name: z.string() }),
  queuedAt: timestamp,
  /** The problem code with which the question was refused on its turn. Missing: its turn hasn't come. */
  refusal: z.string().optional(),
  version: z.number().int(),
});
export type QueuedQuestion = z.infer<typeof queuedQuestion>;

/** The queue of a conversation in order. */
export const questionQueue = z.strictObject({
  items: z.array(queuedQuestion),
  /**
   * True if the queue stopped because the last answer failed or the first item was refused; `resumeQueue` continues it.
   */
  waitsForPerson: z.boolean(),
});
export type QuestionQueue = z.infer<typeof questionQueue>;

const inConversation = z.strictObject({ conversationId });
const oneQueued = z.strictObject({ conversationId, messageId });
const organisationChat = { service: 'chat', scope: 'organisation' } as const;
const ids = { answerId: clientIdOf('message'), generationId: clientIdOf('generation') };

export const listQueue = defineRoute({
  ...organisationChat,
  route: 'GET /api/chat/conversations/:conversationId/queue',
  permission: 'chat:read',
  cost: 'read',
  params: inConversation,
  response: questionQueue,
});

/**
 * Queues a question, which is asked as soon as no answer runs and no question waits before it: immediately (`started`),
 * or on its turn. The client makes all ids, so a repeated call returns what exists. 404 `chat.message-not-found` for a
 * missing or deleted parent, 409 `chat.queue-full`.
 */
export const addToQueue = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/queue',
  permission: 'chat:create',
  cost: 'question',
  status: 202,
  params: inConversation,
  body: z.discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('question'),
        messageId: clientIdOf('message'),
        parentId: messageId.nullable(),
        ...ids,
        text: messageText,
        files: askedFiles.optional(),
        ...askedOf,
      })
      .refine(asksSomething, asksNothing),
    z.strictObject({
      kind: z.literal('again'),
      parentId: messageId,
      ...ids,
      ...askedOf,
      continues: messageId.optional(),
      images: asNote.optional(),
    }),
  ]),
  response: questionQueue.extend({ started: z.boolean() }),
});

/**
 * Changes the text of a waiting question, and its files if given. 409 `platform.conflict` if it was asked meanwhile, or
 * changed since the given version.
 */
export const editQueued = defineRoute({
  ...organisationChat,
  route: 'PATCH /api/chat/conversations/:conversationId/queue/:messageId',
  permission: 'chat:create',
  cost: 'write',
  params: oneQueued,
  body: z.strictObject({ version: z.number().int(), text: messageText, files: askedFiles.optional() }),
  response: queuedQuestion,
});

/**
 * Removes a waiting question. The next question then follows the message before the removed one. Idempotent; 409
 * `platform.conflict` if it was asked meanwhile.
 */
export const withdrawQueued = defineRoute({
  ...organisationChat,
  route: 'DELETE /api/chat/conversations/:conversationId/queue/:messageId',
  permission: 'chat:create',
  cost: 'write',
  status: 204,
  params: oneQueued,
});

/** Continues a queue that waits for its person: the first item is asked as soon as possible. Idempotent. */
export const resumeQueue = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/queue/resume',
  permission: 'chat:create',
  cost: 'write',
  status: 202,
  params: inConversation,
  response: questionQueue,
});

/** The items of a conversation's queue changed, or the queue began or stopped waiting for its person. */
export const queueChanged = defineEvent('queue.changed.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId }),
  key: 'userId',
  live: { room: 'person', resources: ['queue'] },
  audit: "People's own chats.",
});

export const queueRoutes = { listQueue, addToQueue, editQueued, withdrawQueued, resumeQueue };
