import { defineRoute, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { chunkId, documentId } from '../../../ids.ts';
import { document, passageLocation } from './documents.ts';

/** A document, for people who can read its passages. */
export const openedDocument = document.pick({ id: true, name: true, mediaType: true, bytes: true }).extend({
  /** When the version that `content` returns was stored: uploaded, replaced, or fetched from its source. */
  storedAt: timestamp,
  /**
   * True if the version that `content` returns isn't read yet or can't be read: passages and `text` are then those of
   * the version before.
   */
  isAhead: z.boolean(),
  /** True if the document's file is stored; false if its source never sent it. */
  hasFile: z.boolean(),
  /** For a deleted document, which has neither text nor content. Null otherwise. */
  deletedAt: timestamp.nullable(),
  /** The `http` or `https` address of a page from a web site; null otherwise. */
  webAddress: z.url().nullable(),
});
export type OpenedDocument = z.infer<typeof openedDocument>;

/** The most passages in one response of `readDocumentText`, 200 kB of text at most. */
export const mostPassagesPerPage = 50;

const opened = { service: 'chat', scope: 'organisation', permission: 'chat:read' } as const;
const one = z.strictObject({ documentId });

/**
 * Returns a cited document to people who can read its data connection. 404 `chat.document-not-found` for others, and
 * once a deleted document is erased.
 */
export const openDocument = defineRoute({
  ...opened,
  route: 'GET /api/chat/documents/:documentId',
  cost: 'read',
  params: one,
  response: openedDocument,
});

/**
 * Returns the text of a document in order: a page of passages from index `from`, or the page with the passage
 * `chunkId`; the first page if that passage is gone. `previous` and `next` are the `from` of the neighbouring pages,
 * null at either end. While a document is being replaced, passages of both versions can appear.
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

/** Returns the file as it was uploaded or fetched. 404 `chat.document-file-missing` if it isn't stored. */
export const downloadDocument = defineRoute({
  ...opened,
  route: 'GET /api/chat/documents/:documentId/content',
  cost: 'download',
  params: one,
  download: true,
});

export const openedDocumentRoutes = { openDocument, readDocumentText, downloadDocument };
