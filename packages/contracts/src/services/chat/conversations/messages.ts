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

/** The status of an answer: queued → running → done | stopped | failed | interrupted. */
export const generationStatus = z.enum(['queued', 'running', 'done', 'stopped', 'failed', 'interrupted']);
export type GenerationStatus = z.infer<typeof generationStatus>;

/** A numbered source of an answer: `[n]` in the text refers to it. `chunkId` opens the passage. */
export const citation = z.strictObject({
  number: z.number().int().positive(),
  documentId,
  chunkId,
  documentName: z.string(),
  heading: z.string().nullable(),
  place: passageLocation.optional(),
  /** Set for a curated answer. `documentName` is then its question, and `documentId` and `chunkId` refer to nothing. */
  curated: z.strictObject({ id: curatedAnswerId, by: z.string(), at: timestamp }).optional(),
  /**
   * The file of the chat or its project that has the passage. `documentName` is then the file's name, and `documentId`
   * and `chunkId` refer to nothing.
   */
  fileId: fileId.optional(),
});
export type Citation = z.infer<typeof citation>;

export const usage = z.strictObject({
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Input tokens that the model server had cached; missing if the server doesn't say. */
  cachedTokens: z.number().int().optional(),
  estimated: z.boolean(),
});
export type Usage = z.infer<typeof usage>;

/**
 * A model's reasoning before its answer, as its server sends it. Shown folded; not part of the answer's text, and not
 * sent to models again. `ms`: from its first word to the answer's first, or to the end.
 */
export const thoughts = z.strictObject({ text: z.string(), ms: z.number().int().nonnegative() });
export type Thoughts = z.infer<typeof thoughts>;

/**
 * How the model got the images of a question without seeing them: as a note with their names (`note`), or as images
 * that it refused (`refused`), after which it answered with a note.
 */
export const imagesGiven = z.enum(['note', 'refused']);

/** The parts of a chat's project that an answer searched: connections that the person could read, and ready files. */
export const projectKnowledge = z.strictObject({
  connectionIds: z.array(connectionId),
  files: z.array(messageFile.pick({ id: true, name: true })),
});
export type ProjectKnowledge = z.infer<typeof projectKnowledge>;

/** The model that was asked first and failed before its first word. The chatbot's other model answered. */
export const fellBackFrom = z.strictObject({ label: z.string(), failure: generationFailure });

export const message = z.strictObject({
  id: messageId,
  conversationId,
  /** The order of creation in the conversation, 1, 2, 3 …; never changes. */
  position: z.number().int(),
  /** The number of messages on the path up to this one, including it. Processes up to 0.3.0 don't send it. */
  depth: z.number().int().positive().optional(),
  /** The conversation's sequence at this message's last change. */
  sequence: z.number().int(),
  role: z.enum(['person', 'assistant']),
  text: z.string(),
  createdAt: timestamp,
  author: z.strictObject({ userId, name: z.string() }).nullable(),
  /**
   * The message before this one: an answer's question, or the answer before a question; null at the start. Messages
   * with the same parent are versions of each other.
   */
  parentId: messageId.nullable(),
  generation: z
    .strictObject({
      id: generationId,
      status: generationStatus,
      failure: generationFailure.nullable(),
      /** The provider's error, shortened and without secrets, or details of `failure`; shown under details. */
      failureDetail: z.string().nullable(),
      /** Set for `output-limit` if the budget had room for a shorter answer only. Missing for other limits. */
      limitedBy: z.literal('budget').optional(),
      /** The epoch (fencing number) of the attempt that wrote this text; 0 while queued. */
      epoch: z.number().int(),
      /** When another attempt began after an interruption (ISO time); null if none did. */
      resumedAt: timestamp.nullable(),
      model: z.strictObject({ key: modelKey, label: z.string() }),
      /** The chatbot at the time of the answer; null for answers from before there were chatbots. */
      chatbot: chatbotVersionRef.extend({ name: z.string(), glyph: chatbotGlyph }).nullable(),
      /** The project of the chat when the answer was requested. Missing: none. */
      projectId: projectId.optional(),
      /** The model was given instructions of the project. Missing: it wasn't, or was asked seconds ago. */
      projectInstructions: z.literal(true).optional(),
      startedAt: timestamp.nullable(),
      finishedAt: timestamp.nullable(),
      usage: usage.nullable(),
      /** The model's reasoning before the answer. Missing if there is none. */
      thoughts: thoughts.optional(),
      /** The model that failed first. Missing if the first model answered. */
      fellBackFrom: fellBackFrom.optional(),
      /** Set if the model saw none of the images. Missing if it saw some, without images, and in answers of 0.3.0. */
      images: imagesGiven.optional(),
      /** Images of the question that didn't fit: the model got their names only, and saw the rest. Missing: none. */
      leftOut: z.array(fileId).optional(),
      /** Missing: the answer searched nothing of a project. */
      projectKnowledge: projectKnowledge.optional(),
    })
    .nullable(),
  citations: z.array(citation),
  /** For a question: the files that were sent with it. Missing: none. */
  files: z.array(messageFile).optional(),
  /** True for a message imported from another product, or from an export of Parley. Missing: written here. */
  imported: z.literal(true).optional(),
  /**
   * A question that its author discarded. It comes without text, and neither it nor its answers are shown. Missing: no.
   */
  isDiscarded: z.boolean().optional(),
  /** True if it or a message above it was deleted: it comes without text, citations and files. Missing: no. */
  isDeleted: z.boolean().optional(),
});
export type Message = z.infer<typeof message>;

/** A message on another branch, with the fields by which a client counts versions. */
export const messageElsewhere = message
  .pick({ id: true, parentId: true, author: true, position: true, sequence: true, role: true, isDeleted: true })
  .extend({ status: generationStatus.nullable() });
export type MessageElsewhere = z.infer<typeof messageElsewhere>;

/**
 * All versions of a message, oldest first: messages with this parent (null: at the start) that aren't deleted. Unless a
 * message follows them, two kinds are left out: answers that a budget refused and that were asked again, and answers
 * that another one continues.
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
  /** With `after`: true if there can be more changes than this page lists. Missing: no. */
  hasNewer: z.boolean().optional(),
  title: z.string(),
});

/**
 * Lists all messages in order of creation, for clients up to 0.3.0; replaced by `listPath`. Returns the newest page
 * (`before` pages back by position) or, with `after=<sequence>`, the messages changed since, oldest change first.
 * Limits and `sequence` are as in `listPath`.
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
 * Lists a page of one path: from its end back, or with `before` from that depth back. The path is the one to `leaf`;
 * else the one through `through` (the reader's last path if it leads there, else on to the newest message below
 * `through`); else the reader's last path. On the newest page, `elsewhere` has the answer that runs on another branch.
 * With `after=<sequence>` it lists everything that changed since, oldest change first: `items` on that path or below
 * its end, `elsewhere` the rest. `versions` has all versions of each listed message that has several; with `after`, of
 * all changed messages. A page has at most 300 kB; a larger message is a page of its own. `sequence` is the next
 * `after`: the conversation's at the time of reading or, with `hasNewer`, that of the last listed change. 404
 * `chat.message-not-found` for a missing or deleted message.
 */
export const listPath = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/path',
  permission: 'chat:read',
  cost: 'read',
  params: inConversation,
  query: paging.extend({ leaf: messageId.optional(), through: messageId.optional() }),
  response: page.extend({
    /** The end of the path; null if there is no message. */
    leafId: messageId.nullable(),
    /**
     * The message and conversation that this conversation was branched from. `title` is that of the origin, null if it
     * was deleted; left out with `after`.
     */
    branchedFrom: z.strictObject({ conversationId, messageId, title: z.string().nullable().optional() }).optional(),
    /** True while the chat is archived; missing: no. */
    archived: z.boolean().optional(),
    /** The version of the person's reading place (the path that they read last), for `moveInConversation`. */
    placeVersion: z.number().int(),
    versions: z.array(messageVersions),
    elsewhere: z.array(messageElsewhere),
  }),
});

/**
 * Moves the person's reading place to the path through this message and on to the newest message below it, and returns
 * the end of that path. Other devices follow when they load the chat or send. 409 `platform.conflict` if `version` is
 * old. While no message has two versions there is one path: no place is stored, and its version is 0.
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
 * Counts the messages that would be deleted with this one: itself and everything below, on each branch. For an answer
 * it also lists the model and chatbot of each of its versions, oldest first.
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
 * Hides a message with everything below it; `restoreMessage` undoes it. A running answer among them is stopped. Returns
 * the person's new reading place; null if no message is left. Idempotent.
 */
export const deleteMessage = defineRoute({
  ...ofOrganisation,
  route: 'DELETE /api/chat/conversations/:conversationId/messages/:messageId',
  permission: 'chat:delete',
  cost: 'write',
  params: oneMessage,
  response: z.strictObject({ leafId: messageId.nullable() }),
});

/** A message that was deleted with everything below it and can still be restored. */
export const deletedMessage = z.strictObject({
  id: messageId,
  role: z.enum(['person', 'assistant']),
  /** The first 300 characters. */
  text: z.string(),
  deletedAt: timestamp,
  /** When it is erased. */
  eraseAt: timestamp,
});
export type DeletedMessage = z.infer<typeof deletedMessage>;

/**
 * Lists deleted messages of one of the person's conversations that can be restored (`restoreMessage`), last deleted
 * first, at most 100.
 */
export const listDeletedMessages = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/deleted-messages',
  permission: 'chat:delete',
  cost: 'read',
  params: inConversation,
  response: z.strictObject({ items: z.array(deletedMessage) }),
});

/** Restores a deleted message, and returns the end of its branch. Idempotent. */
export const restoreMessage = defineRoute({
  ...ofOrganisation,
  route: 'POST /api/chat/conversations/:conversationId/messages/:messageId/restore',
  permission: 'chat:delete',
  cost: 'write',
  params: oneMessage,
  response: z.strictObject({ leafId: messageId.nullable() }),
});
