import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../../events/audit.ts';
import { conversationId, exportId, messageId } from '../../../ids.ts';

const ofOrganisation = { service: 'chat', scope: 'organisation', permission: 'chat:read' } as const;

/**
 * The form of an export. `markdown`: one path, by default the one that the person read last. `json`: all branches, as
 * `docs/reference/export-format.md` describes.
 */
export const exportForm = z.enum(['markdown', 'json']);
export type ExportForm = z.infer<typeof exportForm>;

/**
 * Exports one of the person's conversations as a file. Deleted and discarded messages are left out. A running answer is
 * exported as far as it is stored, with a note. Files are named, not included. `leaf`: the end of the path. 404
 * `chat.conversation-not-found`, `chat.message-not-found`.
 */
export const exportConversation = defineRoute({
  ...ofOrganisation,
  route: 'GET /api/chat/conversations/:conversationId/export',
  cost: 'report',
  params: z.strictObject({ conversationId }),
  query: z.strictObject({ as: exportForm, leaf: messageId.optional() }),
  download: true,
});

/** Days until an export is deleted. It can be downloaded until then. */
export const keepExportDays = 7;
/** The exports that a person can keep in an organisation. The oldest is deleted when another one is ready. */
export const mostExports = 2;

/** waiting → writing → ready | failed. */
export const exportStatus = z.enum(['waiting', 'writing', 'ready', 'failed']);

/** Why an export failed. */
export const exportFailure = z.enum([
  'over-quota', // it doesn't fit into the organisation's storage quota
  'disk-full',
  'access-lost', // its person can't read chats in the organisation any more
  'interrupted', // three attempts ended early
]);
export type ExportFailure = z.infer<typeof exportFailure>;

/** Everything that a person owns in an organisation, as one ZIP (`docs/reference/export-format.md`). */
export const chatExport = z.strictObject({
  id: exportId,
  status: exportStatus,
  failure: exportFailure.nullable(),
  /** Number of written chats, `of` the chats at the start; null unless the export is being written. */
  progress: z.strictObject({ done: z.number().int(), of: z.number().int() }).nullable(),
  /** Counts of the exported content, and the size of the ZIP in bytes; all are 0 until the export is ready. */
  chats: z.number().int(),
  files: z.number().int(),
  bytes: z.number().int(),
  createdAt: timestamp,
  /** When the export is deleted; null until it is ready or has failed. */
  expiresAt: timestamp.nullable(),
});
export type ChatExport = z.infer<typeof chatExport>;

const people = { ...ofOrganisation, people: 'only' } as const;
const oneExport = z.strictObject({ exportId });

/**
 * Starts an export of all the person's chats with their files. The client makes the id, so repeating the call is
 * harmless. 409 `chat.export-running` while another one is being written, 413 `chat.storage-quota-reached` if the quota
 * has no room left.
 */
export const createExport = defineRoute({
  ...people,
  route: 'POST /api/chat/exports',
  cost: 'write',
  status: 201,
  body: z.strictObject({ id: exportId }),
  response: chatExport,
});

/** Lists the person's exports in this organisation, newest first. */
export const listExports = defineRoute({
  ...people,
  route: 'GET /api/chat/exports',
  cost: 'read',
  query: pageQuery,
  response: pageOf(chatExport),
});

/**
 * Returns the ZIP to the person who made it. 404 `chat.export-not-found` for others, and for a failed or expired one;
 * 409 `chat.export-running` until it is ready.
 */
export const downloadExport = defineRoute({
  ...people,
  route: 'GET /api/chat/exports/:exportId/content',
  cost: 'download',
  params: oneExport,
  query: z.strictObject({ org: orgId.optional() }),
  isSensitive: true,
  isLink: true,
  download: true,
});

/** Deletes an export, or stops one that is being written. Idempotent: 404 `chat.export-not-found` once it is gone. */
export const deleteExport = defineRoute({
  ...people,
  route: 'DELETE /api/chat/exports/:exportId',
  cost: 'write',
  status: 204,
  params: oneExport,
});

/** A person's export waits, is being written, is ready, failed, or was deleted. */
export const exportsChanged = defineEvent('exports.changed.v1', 'chat', {
  data: z.object({ orgId, userId, exportId, status: exportStatus }),
  key: 'exportId',
  live: { room: 'person', resources: ['exports'] },
  audit: 'export.finished says when one can be downloaded.',
});

/** A person's export is ready to download. The event has counts only: no titles, no names of files. */
export const exportFinished = defineEvent('export.finished.v1', 'chat', {
  data: z.object({
    orgId,
    userId,
    exportId,
    chats: z.number().int(),
    files: z.number().int(),
    bytes: z.number().int(),
  }),
  key: 'exportId',
  live: null,
  audit: ({ userId: by, chats, files }) => ({
    act: 'export.finished',
    by,
    target: { of: 'person', id: by, name: null },
    changes: changesBetween(null, { chats: auditValues.count(chats), files: auditValues.count(files) }),
  }),
});

export const exportRoutes = { exportConversation, createExport, listExports, downloadExport, deleteExport };
