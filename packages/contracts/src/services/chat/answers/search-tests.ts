import { defineEvent, defineRoute, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { passageLocation } from '../knowledge/documents.ts';
import { chunkId, connectionId, documentId } from '../../../ids.ts';

/**
 * Returns the passages that an answer to a question would get, best first, for the caller or another member, by their
 * present permissions. Searching as another member is audited. `connectionId` searches that connection only.
 */
export const testSearch = defineRoute({
  service: 'chat',
  scope: 'organisation',
  permission: 'data_connection:manage',
  cost: 'question',
  route: 'POST /api/chat/search-tests',
  body: z.strictObject({
    text: z.string().trim().min(1).max(1_000),
    as: userId.optional(),
    connectionId: connectionId.optional(),
  }),
  response: z.strictObject({
    passages: z.array(
      z.strictObject({
        chunkId,
        documentId,
        documentName: z.string(),
        heading: z.string().nullable(),
        place: passageLocation.optional(),
        text: z.string(),
        score: z.number(),
        /**
         * The passage's ranks by words and by meaning, from 1; a rank is null if that search didn't find the passage
         * among its first results. The field is null if no vectors were compared.
         */
        ranks: z.strictObject({ words: z.number().int().nullable(), meaning: z.number().int().nullable() }).nullable(),
      }),
    ),
    /** The number of connections that the member can read. */
    connections: z.number().int(),
    milliseconds: z.number().int(),
  }),
});

/** A person searched as another member. The event doesn't hold the question. */
export const searchTested = defineEvent('search.tested.v1', 'chat', {
  data: z.object({ orgId, by: userId, userId }),
  key: 'userId',
  live: null,
  audit: ({ by, userId: id }) => ({ act: 'search.tested-as', by, target: { of: 'person', id, name: null } }),
});

export const searchTestRoutes = { testSearch };
