import { defineRoute, pageOf, pageQuery, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { chunkId, conversationId, documentId, messageId } from '../../../ids.ts';
import { passageLocation } from './documents.ts';

export const searchHit = z.strictObject({
  conversationId,
  conversationTitle: z.string(),
  messageId,
  role: z.enum(['person', 'assistant']),
  /**
   * A part of the text around the match, of an answer without its Markdown; `ranges` are [start, end) offsets in it.
   */
  snippet: z.string(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
  createdAt: timestamp,
});
export type SearchHit = z.infer<typeof searchHit>;

/** Messages of my conversations that contain every word, newest first. */
export const searchMessages = defineRoute({
  service: 'chat',
  scope: 'organisation',
  route: 'GET /api/chat/search',
  permission: 'chat:read',
  cost: 'search',
  query: pageQuery.extend({ q: z.string().trim().min(1).max(200) }),
  response: pageOf(searchHit),
});

/** The passage behind a citation, with what stands before and after it in the document. */
export const getPassage = defineRoute({
  service: 'chat',
  scope: 'organisation',
  route: 'GET /api/chat/passages/:chunkId',
  permission: 'chat:read',
  cost: 'read',
  params: z.strictObject({ chunkId }),
  response: z.strictObject({
    chunkId,
    documentId,
    documentName: z.string(),
    heading: z.string().nullable(),
    place: passageLocation.optional(),
    before: z.string(),
    text: z.string(),
    after: z.string(),
    /** Of when the document is, as far as that is known. */
    asOf: timestamp.nullable(),
    indexedAt: timestamp,
  }),
});
