import { z } from 'zod';
import { conversationId, messageId } from '../ids.ts';
import { defineRoute } from '../http/define-route.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';

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
  query: pageQuery.extend({ q: z.string().trim().min(1).max(200) }),
  response: pageOf(searchHit),
});
