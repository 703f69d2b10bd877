import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { chunkId, documentId } from '../../../ids.ts';
import { document, passageLocation } from './documents.ts';

/** A document, for people who can read its passages. */
export const openedDocument = document.pick({ id: true, name: true, mediaType: true, bytes: true }).extend({
  /** When the version that `content` answers with was stored: uploaded, replaced, or fetched from its source. */
  storedAt: timestamp,
  /** That version has not been read yet, or cannot be: passages and `text` are those of the one before. */
  isAhead: z.boolean(),
  /** Its file is kept; false of what its source never gave. */
  hasFile: z.boolean(),
  /** Of a document that was deleted: it has neither text nor content. Null otherwise. */
  deletedAt: timestamp.nullable(),
  /** The `http` or `https` address of a page that a web site was read at; null of everything else. */
  webAddress: z.url().nullable(),
});
export type OpenedDocument = z.infer<typeof openedDocument>;

/** The most passages that one answer of `readDocumentText` holds: 200 kB of text at most. */
export const mostPassagesPerPage = 50;

const opened = { service: 'chat', scope: 'organisation', permission: 'chat:read' } as const;
const one = z.strictObject({ documentId });

/**
 * What a citation leads to, by the right to read its passages: that of the data connection. 404 `chat.document-not-found`
 * for everybody else, and once a deleted document has been erased.
 */
export const openDocument = defineRoute({
  ...opened,
  route: 'GET /api/chat/documents/:documentId',
  cost: 'read',
  params: one,
  response: openedDocument,
});

/**
 * The text that was read of a document, in its order: a page of passages from the one with the index `from`, or the page
 * that holds the passage `chunkId`; the first one where that is gone. `previous` and `next` are the `from` of the pages
 * beside it, null at either end. A document that is being replaced may show passages of both versions.
 */
export const readDocumentText = defineRoute({
  ...opened,
  route: 'GET /api/chat/documents/:documentId/text',
  cost: 'read',
  params: one,
  query: z.strictObject({
    from: z.coerce.number().int().min(0).max(1_000_000).optional(),
    chunkId: chunkId.optional(),
    limit: z.coerce.number().int().min(1).max(mostPassagesPerPage).default(mostPassagesPerPage),
  }),
  response: z.strictObject({
    passages: z.array(
      z.strictObject({ chunkId, heading: z.string().nullable(), place: passageLocation.optional(), text: z.string() }),
    ),
    previous: z.number().int().nullable(),
    next: z.number().int().nullable(),
  }),
});
export type DocumentPassage = z.infer<typeof readDocumentText.response>['passages'][number];

/** The file as it was uploaded or fetched. 404 `chat.document-file-missing` where it is not kept. */
export const downloadDocument = defineRoute({
  ...opened,
  route: 'GET /api/chat/documents/:documentId/content',
  cost: 'download',
  params: one,
  download: true,
});

export const openedDocumentRoutes = { openDocument, readDocumentText, downloadDocument };
