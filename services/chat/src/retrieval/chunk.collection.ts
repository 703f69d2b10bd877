import { chunkId, documentId, orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const chunkRows = collection(
  'chunks',
  {
    _id: chunkId,
    orgId,
    documentId,
    documentName: z.string(),
    index: z.number(),
    heading: z.string().nullable(),
    text: z.string(),
    /** `<organisation>|<term>`: who may read is part of the key. */
    searchKeys: z.array(z.string()),
    isHidden: z.boolean(),
    createdAt: z.date(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ searchKeys: 1, createdAt: -1 }, { documentId: 1, index: 1 }, { orgId: 1 }],
  },
);
export type ChunkRow = RowOf<typeof chunkRows>;
