import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, embeddingId, groupId, providerId } from '../../../ids.ts';
import { generationFailure, modelKey } from '../assistants/models.ts';

/**
 * Which model gives the organisation's passages their vectors, and how many have one. `failure` is why it does not go on
 * now; it is tried again by itself. `isFull`: there are more passages than one organisation's vectors may be; what has none
 * is found by its words.
 */
export const getEmbedding = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'model:configure',
  cost: 'read',
  route: 'GET /api/chat/embedding',
  response: z.strictObject({
    /** Null where no provider names one. */
    model: z.strictObject({ providerId, name: z.string() }).nullable(),
    passages: z.number().int(),
    withVectors: z.number().int(),
    /** The model gives these none, though it does to others: it is asked again when their document or the model changes. */
    refused: z.number().int(),
    failure: generationFailure.nullable(),
    isFull: z.boolean(),
  }),
});

/**
 * A model was asked for vectors, of passages or of one question, and has used so many tokens. `interrupted`: nobody knows
 * whether it answered; what it can have used is estimated. It cannot be told again: the ledger alone remembers it.
 */
export const embeddingEnded = defineEvent('embedding.ended.v1', 'chat', {
  data: z.object({
    orgId,
    embeddingId,
    purpose: z.enum(['passages', 'question']),
    /** Who asked the question, or attached the file of a chat; null of passages of documents, which are nobody's. */
    userId: userId.nullable(),
    groupIds: z.array(groupId),
    /** Which chatbot was asked; null where none was. */
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
