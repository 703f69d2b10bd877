import { z } from 'zod';
import { conversationId, messageId } from '../../../ids.ts';

/** Which product an export comes from, recognised from its content. */
export const importSource = z.enum(['chatgpt', 'claude', 'open-webui', 'librechat', 'parley']);
export type ImportSource = z.infer<typeof importSource>;

/** uploading → checking → checked → importing → done | stopped | failed; `paused` until it goes on or is stopped. */
export const importStatus = z.enum([
  'uploading',
  'checking',
  'checked',
  'importing',
  'paused',
  'done',
  'stopped',
  'failed',
]);
export type ImportStatus = z.infer<typeof importStatus>;

/** Why an import has failed; the browser words it. What was imported until then stays. */
export const importFailure = z.enum([
  'not-an-export', // of no product that is known
  'only-manifest', // of Claude: links to the files of an export
  'only-page', // of ChatGPT: `chat.html` without the chats as JSON
  'newer-version', // of a Parley that is newer than this one
  'several-sources', // of more than one product
  'encrypted',
  'damaged',
  'too-much-inside', // more entries, or more bytes unpacked, than is read
  'over-quota',
  'gone', // the upload is not there any more
  'storage-full', // of the server: the import is paused
  'access-lost', // its person can't create chats here any more
  'internal', // its upload stays, so that it can be tried again
]);
export type ImportFailure = z.infer<typeof importFailure>;

const count = z.number().int().nonnegative();
const some = z.strictObject({ found: count, toImport: count });

export const otherKind = z.enum(['custom-chatbots', 'projects', 'memories', 'prompts', 'missing-parts']);

/**
 * Says what a check has found. `deleted` were imported before and deleted here; `grown` have messages that are not here;
 * `empty` have no messages, and are not counted as `broken`. Reports that were stored before lack `empty`.
 */
export const importReport = z.strictObject({
  chats: some.extend({ known: count, grown: count, deleted: count, empty: count.default(0), broken: count }),
  messages: some,
  /** Beside the one path that every chat has. */
  branches: some,
  files: some.extend({ missing: count, unsupported: count }),
  /** What else is in the export and can't be imported. */
  others: z.array(z.strictObject({ kind: otherKind, count })),
});
export type ImportReport = z.infer<typeof importReport>;

export const lossReason = z.enum([
  // of a whole chat
  'no-messages',
  'not-a-chat',
  'too-large',
  'cycle',
  'damaged',
  'internal', // Parley fails with it, again and again
  // of a file of the export: chats are missing
  'part-missing',
  'part-cut',
  // of a message
  'text-cut',
  'canvas-incomplete',
  'too-many-versions', // more versions of one message, or more edits on one path, than a chat can have
  // of a file
  'file-not-in-export',
  'file-type-not-supported',
  'file-too-large',
  'file-damaged',
  'file-protected', // with a password
  'too-many-files',
  'over-quota',
]);
export type LossReason = z.infer<typeof lossReason>;

/** Something that is not imported. */
export const importLoss = z.strictObject({
  chatTitle: z.string(),
  reason: lossReason,
  /** Names the file, or the number of the part of the export. */
  name: z.string().nullable(),
  /** Where it would be; null until the chat is imported, and of a chat that is not. */
  conversationId: conversationId.nullable(),
  messageId: messageId.nullable(),
});
export type ImportLoss = z.infer<typeof importLoss>;
