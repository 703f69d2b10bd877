import { defineEvent, defineRoute, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { passageLocation } from '../knowledge/documents.ts';
import { chunkId, connectionId, documentId } from '../../../ids.ts';

/**
 * What an answer would be given for a question, best first, for whoever asks or for another member, by the rights of
 * now; as another one it is written into the audit log. `connectionId` looks into that one only.
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
        /** Its place by words and by meaning, from 1, null where it is not among the first; null where no vectors were compared. */
        ranks: z.strictObject({ words: z.number().int().nullable(), meaning: z.number().int().nullable() }).nullable(),
      }),
    ),
    /** So many connections they may read. */
    connections: z.number().int(),
    milliseconds: z.number().int(),
  }),
});

/** Somebody looked at what another member would find; never what they looked for. */
export const searchTested = defineEvent('search.tested.v1', 'chat', {
  data: z.object({ orgId, by: userId, userId }),
  key: 'userId',
  live: null,
  audit: ({ by, userId: id }) => ({ act: 'search.tested-as', by, target: { of: 'person', id, name: null } }),
});

export const searchTestRoutes = { testSearch };
