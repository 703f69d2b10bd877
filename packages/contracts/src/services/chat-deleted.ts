import { z } from 'zod';
import { defineEvent } from '../events/define-event.ts';
import { defineRoute } from '../http/define-route.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';
import { conversationId, orgId, userId } from '../ids.ts';

const chats = { service: 'chat', scope: 'organisation', permission: 'chat:delete' } as const;

/** A chat that can still be restored. */
export const deletedConversation = z.strictObject({
  id: conversationId,
  title: z.string(),
  deletedAt: timestamp,
  /** From then on it is erased for good. */
  eraseAt: timestamp,
});
export type DeletedConversation = z.infer<typeof deletedConversation>;

/** My deleted chats that can be restored (`restoreConversation`), last deleted first. */
export const listDeletedConversations = defineRoute({
  ...chats,
  route: 'GET /api/chat/deleted-conversations',
  query: pageQuery,
  response: pageOf(deletedConversation),
});

/**
 * Erases a deleted chat now instead of after 7 days: from the answer on nobody can restore it, and a job erases its words.
 * Idempotent. 409 `platform.conflict` for a chat that is not deleted.
 */
export const eraseConversation = defineRoute({
  ...chats,
  route: 'POST /api/chat/conversations/:conversationId/erase',
  status: 204,
  params: z.strictObject({ conversationId }),
});

/** A deleted chat cannot be restored any more: it was erased by its owner, or after 7 days. */
export const conversationErased = defineEvent('conversation.erased.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId }),
  key: 'conversationId',
  live: { room: 'person', resources: ['deleted-conversations'] },
});

export const deletedRoutes = { listDeletedConversations, eraseConversation };
