import { defineEvent, defineRoute, orgId, pageOf, pageQuery, patience, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues } from '../../../events/audit.ts';
import { conversationId, importId } from '../../../ids.ts';
import { importPartBytes } from '../../../names.ts';
import { plainName } from '../../../plain-text.ts';
import {
  importFailure,
  importLoss,
  importReport,
  importSource,
  importStatus,
  mostReportedProjects,
} from './import-report.ts';

export * from './import-report.ts';

export const mostImportFiles = 20;
/** Uploads that a person can have at the same time in an organisation. */
export const mostUploads = 2;

const bytes = z.number().int().positive();
const count = z.number().int().nonnegative();
const imported = { chats: count, messages: count, branches: count, files: count };

export const chatImport = z.strictObject({
  id: importId,
  /** `received`: the parts that are there, from 1 on, so that any device can go on with the rest. */
  files: z.array(z.strictObject({ name: z.string(), bytes, received: z.array(z.number().int().positive()) })),
  status: importStatus,
  failure: importFailure.nullable(),
  /** Known once it is checked. */
  source: importSource.nullable(),
  report: importReport.nullable(),
  /** Of the check or the import that is going on; `of` is 0 while nobody knows how many chats there are. */
  progress: z.strictObject({ chats: count, of: count }).nullable(),
  /** What has been imported; `messages` and `branches` also those that were added to chats that were here. */
  imported: z.strictObject(imported),
  /** How many things are not imported: `listImportLosses`. */
  losses: count,
  createdAt: timestamp,
  /** How long the check took. */
  checkedMs: count.nullable(),
  /** From then on the upload is deleted; null once it is. */
  expiresAt: timestamp.nullable(),
  /**
   * Says what becomes of all its chats: they are being deleted, are deleted and can be restored until then, or are being
   * restored. Absent: none of it.
   */
  chats: z
    .strictObject({ state: z.enum(['deleting', 'deleted', 'restoring']), restorableUntil: timestamp.nullable() })
    .optional(),
});
export type ChatImport = z.infer<typeof chatImport>;

const mine = { service: 'chat', scope: 'organisation', permission: 'chat:create', people: 'only' } as const;
const oneImport = z.strictObject({ importId });

/**
 * Begins to upload an export of another product, or of Parley: one file or several that belong together. The client makes
 * the id, so repeating the call returns the same. 413 `chat.import-too-large` above `PARLEY_IMPORT_MAX`, 413
 * `chat.storage-quota-reached` where the organisation has no room left, 409 `chat.imports-full` for a third upload.
 */
export const createImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports',
  cost: 'write',
  status: 201,
  body: z.strictObject({
    id: importId,
    files: z
      .array(z.strictObject({ name: plainName(255), bytes }))
      .min(1)
      .max(mostImportFiles),
  }),
  response: chatImport,
});

/**
 * One part of one file, both counted from 1, as raw body. Idempotent: repeating replaces the part. Parts come in any
 * order, from any device. 400 where it is shorter than `importPartBytes` and not the last one.
 */
export const uploadImportPart = defineRoute({
  ...mine,
  route: 'PUT /api/chat/imports/:importId/files/:number/parts/:part',
  cost: 'upload',
  patienceMs: patience.long,
  status: 204,
  rawBodyLimit: importPartBytes,
  params: oneImport.extend({
    number: z.coerce.number().int().min(1).max(mostImportFiles),
    part: z.coerce.number().int().min(1).max(10_000),
  }),
});

/** My imports of the last 30 days, newest first, at most 100. */
export const listImports = defineRoute({
  ...mine,
  route: 'GET /api/chat/imports',
  cost: 'read',
  query: pageQuery,
  response: pageOf(chatImport).extend({
    /** How many bytes one import can have at most. */
    mostBytes: bytes,
  }),
});

/** `here`: how many of its chats there are now. */
export const getImport = defineRoute({
  ...mine,
  route: 'GET /api/chat/imports/:importId',
  cost: 'read',
  params: oneImport,
  response: chatImport.extend({ here: count.optional() }),
});

/** What is not imported, in the order of the export: at most the first 10,000. */
export const listImportLosses = defineRoute({
  ...mine,
  route: 'GET /api/chat/imports/:importId/losses',
  cost: 'read',
  params: oneImport,
  query: pageQuery,
  response: pageOf(importLoss),
});

/**
 * Reads the upload once and reports. 409 `chat.import-incomplete` while parts are missing. Idempotent. A check that has
 * failed is done again while the upload is there.
 */
export const checkImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/check',
  cost: 'write',
  params: oneImport,
  response: chatImport,
});

/**
 * Imports what was checked; `again` also what was imported before and deleted here. `projects` names those of the report;
 * `name: null` leaves a project out, so that its chats come without it. One that isn't named here has the name of the
 * export, else that of the product with a number; one that was deleted here comes only if it is named. Idempotent. An
 * import that has failed goes on while its upload is there.
 */
export const startImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/start',
  cost: 'write',
  params: oneImport,
  body: z.strictObject({
    again: z.boolean(),
    projects: z
      .array(z.strictObject({ id: z.string().max(200), name: plainName(100).nullable() }))
      .max(mostReportedProjects)
      .optional(),
  }),
  response: chatImport,
});

/** The chat that is being imported is still finished. Idempotent. */
export const pauseImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/pause',
  cost: 'write',
  params: oneImport,
  response: chatImport,
});

export const resumeImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/resume',
  cost: 'write',
  params: oneImport,
  response: chatImport,
});

/** Ends it for good and deletes the upload; what was imported stays. Idempotent. */
export const stopImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/stop',
  cost: 'write',
  params: oneImport,
  response: chatImport,
});

const allChats = { ...mine, permission: 'chat:delete', cost: 'write', status: 202, params: oneImport } as const;

/**
 * Deletes all chats of an import that has ended, as one by one; a job does it, some at a time. Projects stay.
 * `restoreImportedChats` undoes it for 7 days. Idempotent.
 */
export const deleteImportedChats = defineRoute({
  ...allChats,
  route: 'DELETE /api/chat/imports/:importId/chats',
  response: chatImport,
});

/** Restores the chats that `deleteImportedChats` has deleted and that nobody has erased since. Idempotent. */
export const restoreImportedChats = defineRoute({
  ...allChats,
  route: 'POST /api/chat/imports/:importId/chats/restore',
  response: chatImport,
});

/** Deletes the upload and what is known of the import; what was imported stays. */
export const deleteImport = defineRoute({
  ...mine,
  route: 'DELETE /api/chat/imports/:importId',
  cost: 'write',
  status: 204,
  params: oneImport,
});

/** Tells that a person's import has changed or has added chats, also to projects: at most once every two seconds while it runs. */
export const importsChanged = defineEvent('imports.changed.v1', 'chat', {
  data: z.object({ orgId, userId, importId, status: importStatus }),
  key: 'importId',
  live: { room: 'person', resources: ['imports', 'conversations', 'projects'] },
  audit: 'An import is told when it ends.',
});

/** A conversation has come with an import, all of it. Nobody's socket hears of it: `imports.changed` does that. */
export const conversationImported = defineEvent('conversation.imported.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId, importId }),
  key: 'conversationId',
  live: null,
  audit: "People's own chats.",
});

/** An import has ended. Counts only: no titles, no names. */
export const importFinished = defineEvent('import.finished.v1', 'chat', {
  data: z.object({
    orgId,
    userId,
    importId,
    source: importSource,
    outcome: z.enum(['done', 'stopped', 'failed']),
    ...imported,
  }),
  key: 'importId',
  identity: ['importId'],
  live: null,
  outside: ['importId', 'source', 'outcome', 'chats', 'messages', 'branches', 'files'],
  audit: ({ userId: by, source, outcome, chats, messages, files }) => ({
    act: outcome === 'done' ? 'import.finished' : `import.${outcome}`,
    by,
    target: { of: 'person', id: by, name: null },
    changes: [
      { field: 'source', after: auditValues.code(source) },
      { field: 'chats', after: auditValues.count(chats) },
      { field: 'messages', after: auditValues.count(messages) },
      { field: 'files', after: auditValues.count(files) },
    ],
  }),
});

export const importRoutes = {
  createImport,
  uploadImportPart,
  listImports,
  getImport,
  listImportLosses,
  checkImport,
  startImport,
  pauseImport,
  resumeImport,
  stopImport,
  deleteImport,
  deleteImportedChats,
  restoreImportedChats,
};
