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

const bytes = z.number().int().positive();
const count = z.number().int().nonnegative();
const imported = { chats: count, messages: count, branches: count, files: count };

export const chatImport = z.strictObject({
  id: importId,
  /** The files of the upload. `received`: the parts that have arrived, from 1 on, so that any device can continue. */
  files: z.array(z.strictObject({ name: z.string(), bytes, received: z.array(z.number().int().positive()) })),
  status: importStatus,
  failure: importFailure.nullable(),
  /** The product that the export comes from; null until the check has recognised it. */
  source: importSource.nullable(),
  report: importReport.nullable(),
  /** The progress of the running check or import; `of` is 0 while the number of chats is unknown. */
  progress: z.strictObject({ chats: count, of: count }).nullable(),
  /** Counts of the imported content. `messages` and `branches` include those added to existing chats. */
  imported: z.strictObject(imported),
  /** Number of things that aren't imported (`listImportLosses`). */
  losses: count,
  createdAt: timestamp,
  /** Duration of the check. */
  checkedMs: count.nullable(),
  /** When the upload is deleted; null once it is deleted. */
  expiresAt: timestamp.nullable(),
  /**
   * The state of all the import's chats: being deleted, deleted and restorable until `restorableUntil`, or being
   * restored. Missing: none of these.
   */
  chats: z
    .strictObject({ state: z.enum(['deleting', 'deleted', 'restoring']), restorableUntil: timestamp.nullable() })
    .optional(),
});
export type ChatImport = z.infer<typeof chatImport>;

const mine = { service: 'chat', scope: 'organisation', permission: 'chat:create', people: 'only' } as const;
const oneImport = z.strictObject({ importId });

/**
 * Starts to upload an export of another product, or of Parley: one file, or several that belong together. The client
 * makes the id, so a repeated call returns the existing import. 413 `chat.import-too-large` above `PARLEY_IMPORT_MAX`,
 * 413 `chat.storage-quota-reached` if the organisation has no room left, 409 `chat.imports-full` if too many have not ended.
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
 * Uploads one part of one file as the raw body, both counted from 1. Repeating replaces the part. Parts come in any
 * order, from any device. 400 if it is shorter than `importPartBytes` and not the last one.
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

/** Lists the person's imports of the last 30 days, newest first, at most 100. */
export const listImports = defineRoute({
  ...mine,
  route: 'GET /api/chat/imports',
  cost: 'read',
  query: pageQuery,
  response: pageOf(chatImport).extend({
    /** The largest import, in bytes. */
    mostBytes: bytes,
  }),
});

/** Returns an import. `here`: the number of its chats that exist now. */
export const getImport = defineRoute({
  ...mine,
  route: 'GET /api/chat/imports/:importId',
  cost: 'read',
  params: oneImport,
  response: chatImport.extend({ here: count.optional() }),
});

/** Lists content that isn't imported, in the order of the export, at most the first 10,000 entries. */
export const listImportLosses = defineRoute({
  ...mine,
  route: 'GET /api/chat/imports/:importId/losses',
  cost: 'read',
  params: oneImport,
  query: pageQuery,
  response: pageOf(importLoss),
});

/**
 * Checks the upload: reads it once and reports. 409 `chat.import-incomplete` while parts are missing. Idempotent. A
 * failed check can be repeated while the upload exists.
 */
export const checkImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/check',
  cost: 'write',
  params: oneImport,
  response: chatImport,
});

/**
 * Imports the checked chats; with `again`, also chats that were imported before and deleted here. `projects` names
 * projects of the report; `name: null` leaves a project out, and its chats come without it. A project that `projects`
 * doesn't name gets its name from the export, else that of the product with a number. A project that was deleted here
 * is imported only if `projects` names it. Idempotent. A failed import continues while its upload exists.
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

/** Pauses an import after the chat that is being imported. Idempotent. */
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

/** Stops an import for good and deletes the upload. Imported chats stay. Idempotent. */
export const stopImport = defineRoute({
  ...mine,
  route: 'POST /api/chat/imports/:importId/stop',
  cost: 'write',
  params: oneImport,
  response: chatImport,
});

const allChats = { ...mine, permission: 'chat:delete', cost: 'write', status: 202, params: oneImport } as const;

/**
 * Deletes all chats of an ended import in a job, each like a chat that is deleted alone. Projects stay.
 * `restoreImportedChats` undoes it for 7 days. Idempotent.
 */
export const deleteImportedChats = defineRoute({
  ...allChats,
  route: 'DELETE /api/chat/imports/:importId/chats',
  response: chatImport,
});

/** Restores the chats that `deleteImportedChats` deleted and that weren't erased since. Idempotent. */
export const restoreImportedChats = defineRoute({
  ...allChats,
  route: 'POST /api/chat/imports/:importId/chats/restore',
  response: chatImport,
});

/** Deletes the upload and the record of the import. Imported chats stay. */
export const deleteImport = defineRoute({
  ...mine,
  route: 'DELETE /api/chat/imports/:importId',
  cost: 'write',
  status: 204,
  params: oneImport,
});

/** A person's import changed, or added chats or projects. Published at most once every two seconds while it runs. */
export const importsChanged = defineEvent('imports.changed.v1', 'chat', {
  data: z.object({ orgId, userId, importId, status: importStatus }),
  key: 'importId',
  live: { room: 'person', resources: ['imports', 'conversations', 'projects'] },
  audit: 'An import is told when it ends.',
});

/** A conversation was imported completely. Sockets don't get this event, because they get `imports.changed`. */
export const conversationImported = defineEvent('conversation.imported.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId, importId }),
  key: 'conversationId',
  live: null,
  audit: "People's own chats.",
});

/** An import ended. The event has counts only: no titles, no names. */
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
