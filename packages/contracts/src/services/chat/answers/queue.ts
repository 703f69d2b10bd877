import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { clientIdOf, conversationId, generationId, messageId } from '../../../ids.ts';
import { askedOf, asNote, messageText } from '../conversations/conversations.ts';
import { askedFiles, asksNothing, asksSomething, waitingFile } from '../knowledge/files.ts';

/** So many questions can wait in one conversation. */
export const mostQueued = 20;

/** A question, or an answer that is wanted once more, that waits until nothing else is written in its conversation. */
export const queuedQuestion = z.strictObject({
  /** Of the message that it becomes: the question's or, of `again`, the answer's. */
  id: messageId,
  kind: z.enum(['question', 'again']),
  /**
   * Of a question the answer that it will follow, which may be one that is being written or waits itself; null: another
   * first question. Of `again` the question to answer.
   */
  parentId: messageId.nullable(),
  /** Empty of `again`. */
  text: z.string(),
  /** Absent: none. */
  files: z.array(waitingFile).optional(),
  /** Of `again`: the answer that it goes on from. Absent: it begins anew. */
  continues: messageId.optional(),
  /** Tells the model the names of the images only, of `again`. Absent: it is sent those that it may accept. */
  images: asNote.optional(),
  answerId: messageId,
  generationId,
  ...askedOf,
  author: z.strictObject({ userId, name: z.string() }),
  queuedAt: timestamp,
  /** The problem code for which it could not be asked when its turn came. Absent: its turn has not come. */
  refusal: z.string().optional(),
  version: z.number().int(),
});
export type QueuedQuestion = z.infer<typeof queuedQuestion>;

/** The queue of a conversation, in the order in which it is asked. */
export const questionQueue = z.strictObject({
  items: z.array(queuedQuestion),
  /** The last answer failed, or the first item was refused: `resumeQueue` goes on. */
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
 * Asks as soon as nothing else is written in the conversation and nothing waits there: at once, as `sendMessage` and
 * `answerAgain` do (`started`), or when its turn comes. The client makes all ids, so repeating the call returns what
 * there is. 404 `chat.message-not-found` for a parent that is not there or was deleted, 409 `chat.queue-full`.
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
 * Changes the text of a question that waits, and its files where they are named. 409 `platform.conflict` where it has been asked meanwhile, or changed since
 * that version.
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
 * Takes it out. What would have followed its answer follows what it would have followed. Idempotent; 409
 * `platform.conflict` where it has been asked meanwhile.
 */
export const withdrawQueued = defineRoute({
  ...organisationChat,
  route: 'DELETE /api/chat/conversations/:conversationId/queue/:messageId',
  permission: 'chat:create',
  cost: 'write',
  status: 204,
  params: oneQueued,
});

/** Goes on with a queue that waits for its person: the first item is asked as soon as it can be. Idempotent. */
export const resumeQueue = defineRoute({
  ...organisationChat,
  route: 'POST /api/chat/conversations/:conversationId/queue/resume',
  permission: 'chat:create',
  cost: 'write',
  status: 202,
  params: inConversation,
  response: questionQueue,
});

/** What waits in a conversation has changed, or whether it waits for its person. */
export const queueChanged = defineEvent('queue.changed.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId }),
  key: 'userId',
  live: { room: 'person', resources: ['queue'] },
  audit: "People's own chats.",
});

export const queueRoutes = { listQueue, addToQueue, editQueued, withdrawQueued, resumeQueue };
