import { defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import {
  chatbotId,
  chunkId,
  connectionId,
  conversationId,
  curatedAnswerId,
  documentId,
  fileId,
  generationId,
  messageId,
  projectId,
} from '../../../ids.ts';
import { limits } from '../../../limits/sizes.ts';
import { chatbotGlyph, chatbotVersionRef } from '../assistants/chatbots.ts';
import { passageLocation } from '../knowledge/documents.ts';
import { messageFile } from '../knowledge/files.ts';
import { generationFailure, modelKey } from '../assistants/models.ts';

/** queued → running → done | stopped | failed | interrupted. */
export const generationStatus = z.enum(['queued', 'running', 'done', 'stopped', 'failed', 'interrupted']);
export type GenerationStatus = z.infer<typeof generationStatus>;

/** A numbered source of an answer; `[n]` in the text refers to it. The passage opens by `chunkId`. */
export const citation = z.strictObject({
  number: z.number().int().positive(),
  documentId,
  chunkId,
  documentName: z.string(),
  heading: z.string().nullable(),
  place: passageLocation.optional(),
  /** It is a curated answer, whose question stands as the document's name; the other two ids then name nothing else. */
  curated: z.strictObject({ id: curatedAnswerId, by: z.string(), at: timestamp }).optional(),
  /** Names the file of the chat or its project that the passage is from; the document's name is then the file's, and the other two ids name nothing. */
  fileId: fileId.optional(),
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

/**
 * How the images of a question were given where the model didn't see them: as a note with their names (`note`), or first
 * as images, which it refused (`refused`); where it has answered then, it did so with a note.
 */
export const imagesGiven = z.enum(['note', 'refused']);

/** Lists what an answer searched for its project: connections that its asker could read, and files that were ready. */
export const projectKnowledge = z.strictObject({
  connectionIds: z.array(connectionId),
  files: z.array(messageFile.pick({ id: true, name: true })),
});
export type ProjectKnowledge = z.infer<typeof projectKnowledge>;

/** The model that was asked first, and why it gave no word; the chatbot's other model has answered. */
export const fellBackFrom = z.strictObject({ label: z.string(), failure: generationFailure });

export const message = z.strictObject({
  id: messageId,
  conversationId,
  /** The order of creation in its conversation, 1, 2, 3 …; never changes. */
  position: z.number().int(),
  /** Counts the messages of its path up to it, itself included. Processes up to 0.3.0 don't send it. */
  depth: z.number().int().positive().optional(),
  /** The conversation's sequence at this message's last change. */
  sequence: z.number().int(),
  role: z.enum(['person', 'assistant']),
  text: z.string(),
  createdAt: timestamp,
  author: z.strictObject({ userId, name: z.string() }).nullable(),
  /**
   * What it follows: of an answer its question, of a question the answer before it; null at the start. Messages that
   * follow the same one are versions of each other.
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
      /** The project whose instructions it follows: that of its chat when it was asked for. Absent: none. */
      projectId: projectId.optional(),
      startedAt: timestamp.nullable(),
      finishedAt: timestamp.nullable(),
      usage: usage.nullable(),
      /** Absent where there are none. */
      thoughts: thoughts.optional(),
      /** Absent where the first model has answered. */
      fellBackFrom: fellBackFrom.optional(),
      /** Absent where the question has no images, or the model saw some of them, or in what 0.3.0 has written. */
      images: imagesGiven.optional(),
      /** Images of the question that had no room: the model saw others and was told the names of these. Absent: none. */
      leftOut: z.array(fileId).optional(),
      /** Absent: it searched nothing of a project's. */
      projectKnowledge: projectKnowledge.optional(),
    })
    .nullable(),
  citations: z.array(citation),
  /** Of a question: those that were sent with it. Absent: none. */
  files: z.array(messageFile).optional(),
  /** It came from an export of another product, or of Parley. Absent: it was written here. */
  imported: z.literal(true).optional(),
  /** A question that its author has thrown away, without its text: nobody is shown it, nor its answers. Absent: it is not. */
  isDiscarded: z.boolean().optional(),
  /** It was deleted, or follows from a message that was; it comes without text, citations and files. Absent: neither. */
  isDeleted: z.boolean().optional(),
});
export type Message = z.infer<typeof message>;

/** A message on another branch than the one that is read: what a client has to know so as to count versions. */
export const messageElsewhere = message
  .pick({ id: true, parentId: true, author: true, position: true, sequence: true, role: true, isDeleted: true })
  .extend({ status: generationStatus.nullable() });
export type MessageElsewhere = z.infer<typeof messageElsewhere>;

/**
 * All versions of a message, oldest first: what follows this parent (null: at the start) and is not deleted. A refusal of
 * a budget that was asked again is none, nor is an answer that another one goes on from, unless a message follows it.
 */
export const messageVersions = z.strictObject({ parentId: messageId.nullable(), ids: z.array(messageId) });
export type MessageVersions = z.infer<typeof messageVersions>;

const ofOrganisation = { service: 'chat', scope: 'organisation' } as const;
const inConversation = z.strictObject({ conversationId });
const paging = z.strictObject({
  limit: z.coerce.number().int().min(1).max(limits.pageSize).default(50),
  before: z.coerce.number().int().min(1).optional(),
  after: z.coerce.number().int().min(0).optional(),
});
const page = z.strictObject({
  items: z.array(message),
  sequence: z.number().int(),
  hasOlder: z.boolean(),
  /** With `after`: there may be more changes behind this page. Absent: no. */
  hasNewer: z.boolean().optional(),
  title: z.string(),
});

/**
 * All messages as one line, in the order of creation: what clients up to 0.3.0 read. Returns either the newest page
 * (`before` pages back by position) or, with `after=<sequence>`, the messages changed since, oldest change first.
 * Bounds and `sequence` are as in `listPath`, which has come in its place.
 */
export const listMessages = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/messages',
  permission: 'chat:read',
  cost: 'read',
  params: inConversation,
  query: paging,
  response: page,
});

/**
 * A page of one path: from its end back, or with `before` from that depth back. The path is the one to `leaf`, else the
 * one through `through` (the reader's last one if it leads there, else on to the newest message behind it), else the one
 * the reader was on last. The newest page has the answer that is being written on another branch in `elsewhere`. With
 * `after=<sequence>` instead all that changed since, oldest change first: what lies on that path or follows from its end
 * in `items`, the rest in `elsewhere`. `versions` names those of each message here that has several, with `after` those
 * of all that changed. A page holds at most 300 kB; a single message that is larger is a page of its own. `sequence` is
 * the next `after`: the conversation's at the moment of reading or, with `hasNewer`, that of the last change.
 * 404 `chat.message-not-found` for a message that is not there or was deleted.
 */
export const listPath = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/path',
  permission: 'chat:read',
  cost: 'read',
  params: inConversation,
  query: paging.extend({ leaf: messageId.optional(), through: messageId.optional() }),
  response: page.extend({
    /** The end of the path that was read; null where there is no message. */
    leafId: messageId.nullable(),
    /**
     * Names the message and conversation from which this one was branched. `title` is the source's title, null if
     * it was deleted; the response leaves it out for a request with `after`.
     */
    branchedFrom: z.strictObject({ conversationId, messageId, title: z.string().nullable().optional() }).optional(),
    /** True while it is in the archive; absent: no. */
    archived: z.boolean().optional(),
    /** Of my place in it, as `moveInConversation` names it. */
    placeVersion: z.number().int(),
    versions: z.array(messageVersions),
    elsewhere: z.array(messageElsewhere),
  }),
});

/**
 * Moves my place in a conversation to the path through this message and on to the newest one behind it; returns where
 * that ends. My other devices follow when they load it anew or send. 409 `platform.conflict` where `version` is not the
 * newest. While no message has two versions, there is one path: no place is stored, and its version is 0.
 */
export const moveInConversation = defineRoute({
  ...ofOrganisation,
  route: 'PUT /api/chat/conversations/:conversationId/place',
  permission: 'chat:read',
  cost: 'write',
  params: inConversation,
  body: z.strictObject({ through: messageId, version: z.number().int() }),
  response: z.strictObject({ leafId: messageId, version: z.number().int() }),
});

const oneMessage = z.strictObject({ conversationId, messageId });

/**
 * How many messages are deleted with this one: itself and all that follows from it, on each branch. For an answer also
 * who gave each of its versions, oldest first.
 */
export const countBranch = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/messages/:messageId/branch',
  permission: 'chat:read',
  cost: 'read',
  params: oneMessage,
  response: z.strictObject({
    messages: z.number().int().positive(),
    versions: z.array(z.strictObject({ id: messageId, model: modelKey, chatbotId: chatbotId.nullable() })),
  }),
});

/**
 * Hides a message and all that follows from it; `restoreMessage` undoes it. An answer that is being written there is
 * stopped. Returns where the caller reads then; null where nothing is left. Idempotent.
 */
export const deleteMessage = defineRoute({
  ...ofOrganisation,
  route: 'DELETE /api/chat/conversations/:conversationId/messages/:messageId',
  permission: 'chat:delete',
  cost: 'write',
  params: oneMessage,
  response: z.strictObject({ leafId: messageId.nullable() }),
});

/** A message that was deleted with all that follows from it, and can still be restored. */
export const deletedMessage = z.strictObject({
  id: messageId,
  role: z.enum(['person', 'assistant']),
  /** The first 300 characters. */
  text: z.string(),
  deletedAt: timestamp,
  /** From then on it is erased for good. */
  eraseAt: timestamp,
});
export type DeletedMessage = z.infer<typeof deletedMessage>;

/** What was deleted in a conversation of mine and can be restored (`restoreMessage`), last deleted first, at most 100. */
export const listDeletedMessages = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/deleted-messages',
  permission: 'chat:delete',
  cost: 'read',
  params: inConversation,
  response: z.strictObject({ items: z.array(deletedMessage) }),
});

/** Takes a deletion back, and returns where the restored branch ends. Idempotent. */
export const restoreMessage = defineRoute({
  ...ofOrganisation,
  route: 'POST /api/chat/conversations/:conversationId/messages/:messageId/restore',
  permission: 'chat:delete',
  cost: 'write',
  params: oneMessage,
  response: z.strictObject({ leafId: messageId.nullable() }),
});
