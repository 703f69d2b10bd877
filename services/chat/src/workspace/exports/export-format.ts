import { citation, conversationId, fileId, generationFailure, messageId, projectId } from '@parley/contracts';
import { timestamp } from '@parley/protocol';
import { z } from 'zod';

// Describes the format of `docs/reference/export-format.md`. Fields are only added; anything else is a new version.
const version = z.literal(1);

/** A file of a message; `path` is where it lies in the archive, null where its content is not included. */
export const exportedFile = z.strictObject({
  id: fileId,
  name: z.string(),
  mediaType: z.string(),
  bytes: z.number().int(),
  path: z.string().nullable(),
});

export const exportedMessage = z.strictObject({
  id: messageId,
  /** Of an answer its question, of a question the answer before it; null at the start. */
  parentId: messageId.nullable(),
  role: z.enum(['person', 'assistant']),
  /** Markdown. */
  text: z.string(),
  createdAt: timestamp,
  /** Of a question. */
  author: z.strictObject({ name: z.string() }).optional(),
  /** Of an answer: the model and the chatbot, as they were called then. */
  model: z.string().optional(),
  chatbot: z.string().optional(),
  /** Of an answer with sources: `[n]` in its text refers to `number`. */
  citations: z.array(citation).optional(),
  /** The answer was still being written, and may be longer. */
  unfinished: z.literal(true).optional(),
  /** How an answer ended that isn't whole. */
  state: z.enum(['stopped', 'failed', 'interrupted']).optional(),
  /** Why it failed. */
  failure: generationFailure.optional(),
  files: z.array(exportedFile),
});
export type ExportedMessage = z.infer<typeof exportedMessage>;

/** A conversation without its messages. */
export const exportedChatHead = z.strictObject({
  format: z.literal('parley-chat'),
  version,
  id: conversationId,
  title: z.string(),
  createdAt: timestamp,
  lastActivityAt: timestamp,
  pinned: z.boolean(),
  archived: z.boolean(),
  /** The end of the path that its person had open; null where there is no message. */
  openMessageId: messageId.nullable(),
  /** Absent: it is in none. */
  project: z.strictObject({ id: projectId, name: z.string() }).optional(),
  /** Names the chat that a branch was branched off, and the message up to which it was copied. */
  branchedFrom: z.strictObject({ chatId: conversationId, messageId }).optional(),
});
export type ExportedChatHead = z.infer<typeof exportedChatHead>;

/** `chats/<id>.json` of an archive, and a single chat as JSON. */
export const exportedChat = exportedChatHead.extend({ messages: z.array(exportedMessage) });
export type ExportedChat = z.infer<typeof exportedChat>;

export const exportedProject = z.strictObject({
  id: projectId,
  name: z.string(),
  instructions: z.string(),
  /** The name of its chatbot; absent: it has the organisation's default one. */
  chatbot: z.string().optional(),
  /** Names of its data connections; absent: none. That for uploads has no name unless somebody gave it one. */
  connections: z.array(z.string()).optional(),
  pinned: z.boolean(),
  archived: z.boolean(),
  createdAt: timestamp,
  /** Absent: none. */
  files: z.array(exportedFile).optional(),
});

/** `projects.json` of an archive; an archive of a person without projects has none. */
export const exportedProjects = z.strictObject({
  format: z.literal('parley-projects'),
  version,
  projects: z.array(exportedProject),
});
export type ExportedProjects = z.infer<typeof exportedProjects>;

/** `parley-export.json` of an archive: how many chats, files and projects are in it. */
export const exportedAll = z.strictObject({
  format: z.literal('parley-export'),
  version,
  exportedAt: timestamp,
  chats: z.number().int(),
  files: z.number().int(),
  projects: z.number().int(),
});
export type ExportedAll = z.infer<typeof exportedAll>;
