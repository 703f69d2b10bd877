import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { connectionId, conversationId, documentId } from '../../../ids.ts';

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
  cost: 'read',
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
  cost: 'write',
  status: 204,
  params: z.strictObject({ conversationId }),
});

/** A deleted chat cannot be restored any more: it was erased by its owner, or after 7 days. */
export const conversationErased = defineEvent('conversation.erased.v1', 'chat', {
  data: z.object({ orgId, conversationId, userId }),
  key: 'conversationId',
  live: { room: 'person', resources: ['deleted-conversations'] },
  audit: "People's own chats.",
});

const documents = { service: 'chat', scope: 'organisation', permission: 'data_connection:manage' } as const;

/** A document that can still be restored, or that its source may bring back. */
export const deletedDocument = z.strictObject({
  id: documentId,
  name: z.string(),
  bytes: z.number().int(),
  /** It comes from a source: it is there again when a sync finds it again. */
  isOfSource: z.boolean(),
  deletedAt: timestamp,
  /** From then on it is erased for good. */
  eraseAt: timestamp,
});
export type DeletedDocument = z.infer<typeof deletedDocument>;

/** The deleted documents of a connection (`restoreDocument`), last deleted first. */
export const listDeletedDocuments = defineRoute({
  ...documents,
  route: 'GET /api/chat/deleted-documents',
  cost: 'read',
  query: pageQuery.extend({ connectionId }),
  response: pageOf(deletedDocument),
});

/**
 * Erases a deleted document now instead of after 7 days: passages, vectors and file. It answers when the space is free, or
 * after 5 s; a job then erases the rest. 409 `platform.conflict` for a document that is not deleted, 404
 * `chat.document-not-found` from the first call on: nobody can restore it any more.
 */
export const eraseDocument = defineRoute({
  ...documents,
  route: 'POST /api/chat/documents/:documentId/erase',
  cost: 'write',
  status: 204,
  params: z.strictObject({ documentId }),
});

export const deletedRoutes = { listDeletedConversations, eraseConversation, listDeletedDocuments, eraseDocument };
