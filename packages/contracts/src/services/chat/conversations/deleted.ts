import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { connectionId, conversationId, documentId } from '../../../ids.ts';

const chats = { service: 'chat', scope: 'organisation', permission: 'chat:delete' } as const;

/** A deleted chat that can still be restored. */
export const deletedConversation = z.strictObject({
  id: conversationId,
  title: z.string(),
  deletedAt: timestamp,
  /** When it is erased. */
  eraseAt: timestamp,
});
export type DeletedConversation = z.infer<typeof deletedConversation>;

/** Lists the person's deleted chats that can be restored (`restoreConversation`), last deleted first. */
export const listDeletedConversations = defineRoute({
  ...chats,
  route: 'GET /api/chat/deleted-conversations',
  cost: 'read',
  query: pageQuery,
  response: pageOf(deletedConversation),
});

/**
 * Erases a deleted chat now rather than after 7 days. From the response on nobody can restore it, and a job erases its
 * words. Idempotent. 409 `platform.conflict` for a chat that isn't deleted.
 */
export const eraseConversation = defineRoute({
  ...chats,
  route: 'POST /api/chat/conversations/:conversationId/erase',
  cost: 'write',
  status: 204,
  params: z.strictObject({ conversationId }),
});

/** A deleted chat can't be restored any more: its owner erased it, or 7 days are over. */
export const conversationErased = defineEvent('conversation.erased.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId }),
  key: 'conversationId',
  live: { room: 'person', resources: ['deleted-conversations'] },
  audit: "People's own chats.",
});

const documents = { service: 'chat', scope: 'organisation', permission: 'data_connection:manage' } as const;

/** A deleted document that can still be restored, or that its source can bring back. */
export const deletedDocument = z.strictObject({
  id: documentId,
  name: z.string(),
  bytes: z.number().int(),
  /** True if the document comes from a source. It returns when a sync finds it there again. */
  isOfSource: z.boolean(),
  deletedAt: timestamp,
  /** When it is erased. */
  eraseAt: timestamp,
});
export type DeletedDocument = z.infer<typeof deletedDocument>;

/** Lists the deleted documents of a connection that `restoreDocument` can restore, last deleted first. */
export const listDeletedDocuments = defineRoute({
  ...documents,
  route: 'GET /api/chat/deleted-documents',
  cost: 'read',
  query: pageQuery.extend({ connectionId }),
  response: pageOf(deletedDocument),
});

/**
 * Erases a deleted document now rather than after 7 days: passages, vectors and file. Responds when the space is free,
 * or after 5 s while a job erases the rest. 409 `platform.conflict` for a document that isn't deleted; 404
 * `chat.document-not-found` from the first call on, because nobody can restore it any more.
 */
export const eraseDocument = defineRoute({
  ...documents,
  route: 'POST /api/chat/documents/:documentId/erase',
  cost: 'write',
  status: 204,
  params: z.strictObject({ documentId }),
});

export const deletedRoutes = { listDeletedConversations, eraseConversation, listDeletedDocuments, eraseDocument };
