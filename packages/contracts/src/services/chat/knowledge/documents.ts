import { defineEvent, defineRoute, orgId, pageOf, pageQuery, patience, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { clientIdOf, connectionId, documentId } from '../../../ids.ts';
import { limits } from '../../../limits/sizes.ts';
import { documentEndings } from '../../../names.ts';
import { quotaLimits } from '../../../limits/quotas.ts';
import { plainName } from '../../../plain-text.ts';

/** Limits the documents of a connection. */
export const mostDocuments = quotaLimits.documents.ceiling;

/** stored → reading → searchable | failed. */
export const documentStatus = z.enum(['stored', 'reading', 'searchable', 'failed']);
/**
 * Why a document couldn't be read. The browser translates it. `reader-stopped` and `internal` are set only after
 * three attempts.
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

/** The location of a passage in its document, counted from 1; missing if the document has no pages or sections. */
export const passageLocation = z.strictObject({
  kind: z.enum(['page', 'sheet', 'slide', 'attachment']),
  number: z.number().int().positive(),
  /**
   * The name of an email's attachment: for kind `attachment` the one that has the passage, otherwise the one with this
   * page, sheet or slide.
   */
  attachment: z.string().optional(),
});
export type PassageLocation = z.infer<typeof passageLocation>;

/** The progress of a document: pages that were read, then passages that can be searched. */
export const documentProgress = z.strictObject({
  stage: z.enum(['reading', 'indexing']),
  done: z.number().int(),
  of: z.number().int(),
});
export type DocumentProgress = z.infer<typeof documentProgress>;

/** Why an attachment of an email wasn't read, although the email was. */
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
  /** Attachments of an email that weren't read, the first 50. */
  unreadAttachments: z.array(unreadAttachment),
  /** Set while the document is read and there is something to count; null otherwise. */
  progress: documentProgress.nullable(),
  /** Passages that answers can quote. If a newer version couldn't be read, those of the earlier one. */
  passageCount: z.number().int(),
  uploadedBy: z.string(),
  createdAt: timestamp,
  /** The date of the content: when it was uploaded or replaced, or `Last-Modified` if the source sends it. */
  asOf: timestamp,
  indexedAt: timestamp.nullable(),
  /** Its address or key in the source; null for an upload. */
  address: z.string().nullable(),
  /** When Parley last asked the source for the document; null if it never did. */
  triedAt: timestamp.nullable(),
  version: z.number().int(),
});
export type Document = z.infer<typeof document>;

const oneDocument = z.strictObject({ documentId });
const read = { service: 'chat', scope: 'organisation', permission: 'data_connection:read' } as const;
const manage = { service: 'chat', scope: 'organisation', permission: 'data_connection:manage' } as const;

/**
 * Lists documents, newest first. `name` matches the beginning of any word. `counts` are of all documents that the
 * person can see: those of readable connections, or all documents for people who manage connections.
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
 * Uploads a document as the raw body (`application/octet-stream`). The client makes `id`, so repeating the upload is
 * harmless. The type follows from the name's ending. Without a connection the document goes to the uploads connection.
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
 * Replaces a document by a newer version, as the raw body. Its id stays. Answers quote the earlier version until the
 * newer one is read, and go on quoting it if the newer one can't be read. Documents of a source are replaced in the
 * source.
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

/** Deletes a document. Answers stop using it immediately; `restoreDocument` undoes it for 7 days. */
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

/**
 * A document was added, removed or changed state. The list of models changes too, because it says how many documents
 * answers can use.
 */
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

/** A person changed `count` documents of a connection. The connection's name is empty for uploads. */
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
