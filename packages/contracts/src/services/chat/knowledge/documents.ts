import { defineEvent, defineRoute, orgId, pageOf, pageQuery, patience, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { clientIdOf, connectionId, documentId } from '../../../ids.ts';
import { limits } from '../../../limits/sizes.ts';
import { documentEndings } from '../../../names.ts';
import { quotaLimits } from '../../../limits/quotas.ts';
import { plainName } from '../../../plain-text.ts';

/** So many documents a connection may have. */
export const mostDocuments = quotaLimits.documents.ceiling;

/** stored → reading → searchable | failed. */
export const documentStatus = z.enum(['stored', 'reading', 'searchable', 'failed']);
/**
 * Why a document could not be read; the browser words it. `reader-stopped`, `internal`: at the
 * second attempt too, or after five processes that ended meanwhile.
 */
export const documentFailure = z.enum([
  'no-text',
  'not-utf8',
  'scanned', // pages without text: pictures of them, perhaps
  'encrypted', // opens with a password only
  'damaged', // cut off, or not what its name says
  'unpacks-too-large', // small as a file, far too large once unpacked
  'nested-too-deep',
  'too-many-pages',
  'took-too-long',
  'took-too-much-memory',
  'reader-stopped',
  'too-many-passages',
  'over-quota', // its text does not fit into the organisation's storage quota
  'internal',
  'source-refused', // the source does not let us read it
  'source-failed', // no answer in time, or an error of the server
  'too-large', // larger than a document of a source may be
]);

/** Where in its document a passage stands, counted from 1; absent where a document has no such parts. */
export const passageLocation = z.strictObject({
  kind: z.enum(['page', 'sheet', 'slide', 'attachment']),
  number: z.number().int().positive(),
  /** The name of the mail's attachment that it is a part of; of an attachment without such parts its own. */
  attachment: z.string().optional(),
});
export type PassageLocation = z.infer<typeof passageLocation>;

/** How far a document is: pages read of those there are, then passages searchable of those it was cut into. */
export const documentProgress = z.strictObject({
  stage: z.enum(['reading', 'indexing']),
  done: z.number().int(),
  of: z.number().int(),
});
export type DocumentProgress = z.infer<typeof documentProgress>;

/** Why an attachment of a mail was not read, though the mail was. */
export const attachmentFlaw = documentFailure
  .extract([
    'no-text',
    'not-utf8',
    'scanned',
    'encrypted',
    'damaged',
    'unpacks-too-large',
    'nested-too-deep',
    'too-many-pages',
    'too-large', // more than 10 MB
  ])
  .or(
    z.enum([
      'kind-not-read', // also of a mail that is attached
      'beyond-most', // ten of a mail are read
    ]),
  );
export const unreadAttachment = z.strictObject({ name: z.string(), flaw: attachmentFlaw });
export type UnreadAttachment = z.infer<typeof unreadAttachment>;

export const document = z.strictObject({
  id: documentId,
  connectionId,
  name: z.string(),
  mediaType: z.enum(Object.values(documentEndings)),
  bytes: z.number().int(),
  status: documentStatus,
  failure: documentFailure.nullable(),
  /** Of a mail that was read: what is attached to it and was not, the first 50. */
  unreadAttachments: z.array(unreadAttachment),
  /** While it is read, once there is something to count; null otherwise. */
  progress: documentProgress.nullable(),
  /** Those that answers can quote. Of a newer version that could not be read they are the earlier one's. */
  passageCount: z.number().int(),
  uploadedBy: z.string(),
  createdAt: timestamp,
  /** Of when its content is: when it was uploaded or replaced, or `Last-Modified` where its source says so. */
  asOf: timestamp,
  indexedAt: timestamp.nullable(),
  /** Where it is in its source: an address or a key; null of what was uploaded. */
  address: z.string().nullable(),
  /** When the source was last asked for it. */
  triedAt: timestamp.nullable(),
  version: z.number().int(),
});
export type Document = z.infer<typeof document>;

const oneDocument = z.strictObject({ documentId });
const read = { service: 'chat', scope: 'organisation', permission: 'data_connection:read' } as const;
const manage = { service: 'chat', scope: 'organisation', permission: 'data_connection:manage' } as const;

/**
 * Newest first; `name` filters by the start of any word. `counts` are of all documents that I may see: those of the
 * connections that I may read, and whoever manages connections those of all.
 */
export const listDocuments = defineRoute({
  ...read,
  route: 'GET /api/chat/documents',
  cost: 'read',
  query: pageQuery.extend({
    name: z.string().trim().min(1).max(100).optional(),
    status: documentStatus.optional(),
    connectionId: connectionId.optional(),
  }),
  response: pageOf(document).extend({
    counts: z.strictObject({ all: z.number().int(), searchable: z.number().int(), failed: z.number().int() }),
  }),
});

/**
 * The raw file as body (`application/octet-stream`); `id` is made by the client, so repeating the upload is
 * harmless. The type follows the name's ending. Without a connection it goes to that which every organisation begins
 * with.
 */
export const uploadDocument = defineRoute({
  ...manage,
  route: 'POST /api/chat/documents',
  cost: 'upload',
  patienceMs: patience.long,
  status: 201,
  rawBodyLimit: limits.fileBytes,
  query: z.strictObject({ id: clientIdOf('document'), name: plainName(255), connectionId: connectionId.optional() }),
  response: document,
});

/**
 * A newer version in its place, as the raw file: the document keeps its id. Answers quote the earlier one until the newer
 * one is read, and go on doing so where it cannot be. What comes from a source is replaced there.
 */
export const replaceDocument = defineRoute({
  ...manage,
  route: 'PUT /api/chat/documents/:documentId/content',
  cost: 'upload',
  patienceMs: patience.long,
  rawBodyLimit: limits.fileBytes,
  params: oneDocument,
  query: z.strictObject({ name: plainName(255) }),
  response: document,
});

/** Out of answers at once; `restoreDocument` undoes it for 7 days. */
export const deleteDocument = defineRoute({
  ...manage,
  route: 'DELETE /api/chat/documents/:documentId',
  cost: 'write',
  status: 204,
  params: oneDocument,
});
export const restoreDocument = defineRoute({
  ...manage,
  route: 'POST /api/chat/documents/:documentId/restore',
  cost: 'write',
  params: oneDocument,
  response: document,
});
/** Reads a failed document again. */
export const retryDocument = defineRoute({
  ...manage,
  route: 'POST /api/chat/documents/:documentId/retry',
  cost: 'write',
  params: oneDocument,
  response: document,
});

/** A document more or less also changes what answers can draw on, which the models tell. */
export const documentChanged = defineEvent('document.changed.v1', 'chat', {
  data: z.object({
    orgId,
    documentId,
    status: z.enum(['stored', 'reading', 'searchable', 'failed', 'deleted']),
    passageCount: z.number().int(),
  }),
  key: 'documentId',
  live: {
    room: 'organisation',
    permission: 'data_connection:read',
    resources: ['documents', 'deleted-documents', 'connections', 'models'],
  },
  audit: 'documents.managed says it, without the names of files.',
  outside: ['documentId', 'status'],
});

/** A person has changed `count` documents of a connection. Its name is empty if it is that for uploads. */
export const documentsManaged = defineEvent('documents.managed.v1', 'chat', {
  data: z.object({
    orgId,
    connectionId,
    by: userId,
    change: z.enum(['uploaded', 'replaced', 'deleted', 'restored', 'erased']),
    name: z.string(),
    count: z.number().int(),
  }),
  key: 'connectionId',
  live: null,
  audit: ({ connectionId: id, by, change, name, count }) => ({
    act: `documents.${change}`,
    by,
    target: { of: 'connection', id, name: name || null },
    tally: count,
  }),
});

export const documentRoutes = {
  listDocuments,
  uploadDocument,
  replaceDocument,
  deleteDocument,
  restoreDocument,
  retryDocument,
};
