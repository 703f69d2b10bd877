import { defineRoute, pageOf, pageQuery, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { chunkId, conversationId, documentId, messageId } from '../../../ids.ts';
import { timeZone } from '../../../people.ts';
import { ignoredOperator } from '../../../search-operators.ts';
import { passageLocation } from './documents.ts';

export const searchHit = z.strictObject({
  conversationId,
  conversationTitle: z.string(),
  messageId,
  role: z.enum(['person', 'assistant']),
  /**
   * The text around the match, of an answer without its Markdown; for a message without text, the names of its files.
   * `ranges` are [start, end) offsets in the snippet.
   */
  snippet: z.string(),
  ranges: z.array(z.tuple([z.number().int(), z.number().int()])),
  createdAt: timestamp,
});
export type SearchHit = z.infer<typeof searchHit>;

/**
 * Lists messages of the person's chats that contain every word and match every operator (`parseSearch`), newest first.
 * Days of operators begin in `zone`, without one in UTC. A page can have fewer hits than requested.
 */
export const searchMessages = defineRoute({
  service: 'chat',
  scope: 'organisation',
  route: 'GET /api/chat/search',
  permission: 'chat:read',
  cost: 'search',
  query: pageQuery.extend({ q: z.string().trim().min(1).max(500), zone: timeZone.optional() }),
  response: pageOf(searchHit).extend({
    /** Ignored operators; missing if there are none. */
    ignored: z.array(ignoredOperator).optional(),
    /** The page ended because the search looked at as many messages as it can for one page. The next page continues. */
    goesOn: z.literal(true).optional(),
    /** Messages from before an update are still being prepared for `has:` and `from:`, so some can be missing. */
    isFilling: z.literal(true).optional(),
  }),
});

/** Returns the cited passage, with the text before and after it in the document. */
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
    /** The date of the document, if known. */
    asOf: timestamp.nullable(),
    indexedAt: timestamp,
  }),
});
