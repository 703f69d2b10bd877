import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, embeddingId, groupId, providerId } from '../../../ids.ts';
import { generationFailure, modelKey } from '../assistants/models.ts';

/**
 * Returns the model that embeds the organisation's passages, and how many are embedded. `failure`: why embedding
 * stopped; it is retried automatically. `isFull`: there are more passages than the organisation can embed; the rest is
 * found by words.
 */
export const getEmbedding = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'model:configure',
  cost: 'read',
  route: 'GET /api/chat/embedding',
  response: z.strictObject({
    /** Null if no provider has an embedding model. */
    model: z.strictObject({ providerId, name: z.string() }).nullable(),
    passages: z.number().int(),
    withVectors: z.number().int(),
    /**
     * Passages that the model refuses, though it embeds others. They are sent again when their document or the model
     * changes.
     */
    refused: z.number().int(),
    failure: generationFailure.nullable(),
    isFull: z.boolean(),
  }),
});

/**
 * A model embedded passages or a question, with its usage. `interrupted`: it isn't known whether the model answered,
 * and its usage is estimated. The event can't be republished, because only the ledger keeps the usage.
 */
export const embeddingEnded = defineEvent('embedding.ended.v1', 'chat', {
  data: z.object({
    orgId,
    embeddingId,
    purpose: z.enum(['passages', 'question']),
    /** The person who asked the question or attached the file; null for passages of documents. */
    userId: userId.nullable(),
    groupIds: z.array(groupId),
    /** The chatbot that was asked; null for none. */
    chatbotId: chatbotId.nullable(),
    model: modelKey,
    upstream: z.object({ host: z.string(), model: z.string() }),
    inputTokens: z.number().int(),
    estimated: z.boolean(),
    outcome: z.enum(['done', 'interrupted']),
    endedAt: timestamp,
  }),
  key: 'embeddingId',
  identity: [],
  live: null,
  audit: 'Nobody acts.',
});

export const embeddingRoutes = { getEmbedding };
