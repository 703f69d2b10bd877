import { z } from 'zod';
import { conversationId, messageId, projectId } from '../../../ids.ts';

/** The product that an export comes from, recognised by its content. */
export const importSource = z.enum(['chatgpt', 'claude', 'open-webui', 'librechat', 'parley']);
export type ImportSource = z.infer<typeof importSource>;

/** uploading → checking → checked → importing → done | stopped | failed; `paused` until it continues or is stopped. */
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

/** Why an import failed. The browser translates it. Content that was imported before the failure stays. */
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

/**
 * The kinds of content that isn't imported. `projects`: projects beyond `mostReportedProjects`; in reports of earlier
 * versions, all projects. `project-files`: only in reports of earlier versions.
 */
export const otherKind = z.enum([
  'custom-chatbots',
  'projects',
  'project-files',
  'memories',
  'prompts',
  'missing-parts',
]);

/** Limits the projects of an export that are listed and named at its import: as many as a person can have. */
export const mostReportedProjects = 200;
/** The most titles of chats that are reported for a project without a name. People recognise the project by them. */
export const mostReportedTitles = 3;
export const mostReportedTitleLength = 80;

/**
 * A project or folder of an export. `here`: an earlier import created the project and it still exists, so chats go into
 * it without asking the person. `deleted`: an earlier import created it and it was then deleted here.
 */
export const reportedProject = z.strictObject({
  /** Its id in the export, by which `startImport` names it. */
  id: z.string(),
  /** Its name in the export; null if it has none. */
  name: z.string().nullable(),
  /** Two counts: its chats to import, and its chats that were imported and then deleted here. */
  chats: count,
  deletedChats: count,
  /** The beginnings of the titles of its first chats, if it has no name. Missing in reports of earlier versions. */
  chatTitles: z.array(z.string().max(mostReportedTitleLength)).max(mostReportedTitles).optional(),
  hasInstructions: z.boolean(),
  /** Counts its files in the export. Missing: none. */
  files: count.optional(),
  state: z.enum(['new', 'here', 'deleted']),
  /** The project in Parley, with its present name. Missing: there is none. */
  project: z.strictObject({ id: projectId, name: z.string() }).optional(),
});
export type ReportedProject = z.infer<typeof reportedProject>;

/**
 * The result of a check. `deleted`: chats imported before and deleted here. `grown`: chats with messages that aren't
 * here. `empty`: chats without messages, not counted as `broken`; missing in earlier reports.
 */
export const importReport = z.strictObject({
  chats: some.extend({ known: count, grown: count, deleted: count, empty: count.default(0), broken: count }),
  messages: some,
  /** Counts branches besides the one path that every chat has. */
  branches: some,
  files: some.extend({ missing: count, unsupported: count }),
  /** Counts files of projects, including projects that aren't listed because they exist here. Missing: none. */
  projectFiles: some.optional(),
  /** Other content of the export, which can't be imported. */
  others: z.array(
    z.strictObject({
      kind: otherKind,
      count,
      /** The first 20 names in the export. Missing in reports of earlier versions. */
      names: z.array(z.string()).optional(),
    }),
  ),
  /** Projects of the export in order. Missing: none, or the report is of an earlier version. */
  projects: z.array(reportedProject).optional(),
});
export type ImportReport = z.infer<typeof importReport>;

export const lossReason = z.enum([
  // reasons for a whole chat
  'no-messages',
  'not-a-chat',
  'too-large',
  'cycle',
  'damaged',
  'internal', // Parley fails with it, again and again
  // reasons for a file of the export, whose chats are missing
  'part-missing',
  'part-cut',
  // reasons for a project, whose name is in `chatTitle`
  'project-limit', // its person can't have more projects: its chats come without it
  'instructions-cut', // they are longer than Parley keeps
  'project-description', // Parley has none beside the instructions
  'project-chatbot', // its chatbot, whose name this is, isn't available here
  'project-connection', // its data connection, whose name this is, isn't available here
  'project-files-full', // it has as many files as a project can have: this one isn't added
  'file-without-project', // it was deleted while the import ran
  // reasons for a chat of a project; `name` is that of the project
  'project-deleted', // it was deleted while the import ran: the chat comes without it
  // of a message
  'text-cut',
  'canvas-incomplete',
  'too-many-versions', // more versions of one message, or more edits on one path, than a chat can have
  // of a file
  'file-not-in-export',
  'file-type-not-supported',
  'file-too-large',
  'file-empty',
  'file-damaged',
  'file-protected', // with a password
  'too-many-files',
  'over-quota',
]);
export type LossReason = z.infer<typeof lossReason>;

/** Something that isn't imported, and why. */
export const importLoss = z.strictObject({
  chatTitle: z.string(),
  reason: lossReason,
  /** The name of the file, or the number of the part of the export. */
  name: z.string().nullable(),
  /**
   * The conversation of the chat to which this belongs; null until that chat is imported, and for a chat that isn't.
   */
  conversationId: conversationId.nullable(),
  messageId: messageId.nullable(),
});
export type ImportLoss = z.infer<typeof importLoss>;
