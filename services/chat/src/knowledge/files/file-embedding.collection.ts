import { fileId, groupId, modelKey } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { binary, collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';
import { asking } from '../embeddings/index.ts';

/** How far a file that was searched is with the vectors of its passages; gone with the file. */
export const fileEmbeddingRows = collection(
  'chat_file_embeddings',
  {
    _id: fileId,
    orgId,
    /** Who attached the file and pays, and their groups at that time. */
    userId,
    groupIds: z.array(groupId),
    /** Its job has something to do. */
    isWanted: z.boolean(),
    /** Always null in this release. Workers of 0.4.0 wrote their id here; null tells them that they have lost the file. */
    holder: z.string().nullable(),
    /** The model of all vectors that there are; null before the first. */
    of: modelKey.nullable(),
    /** Passages from this one on have no vector yet. */
    next: z.number().int(),
    dimensions: z.number().int().nullable(),
    /** How many passages are asked for at once. */
    batch: z.number().int(),
    /** Always 0: release 0.4.0 counts on. */
    failures: z.number().int(),
    /** The model is being asked: who takes over from a dead worker records what that can have used. */
    asking: asking.nullable(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ orgId: 1, userId: 1 }] },
);
export type FileEmbeddingRow = RowOf<typeof fileEmbeddingRows>;

/** The vectors of some passages of a file that follow each other, one signed byte per dimension. */
export const fileVectorRows = collection(
  'chat_file_vectors',
  {
    /** File and first passage. */
    _id: z.string(),
    orgId,
    fileId,
    /** The ordinal of its first passage. */
    first: z.number().int(),
    of: modelKey,
    dimensions: z.number().int(),
    vectors: binary,
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ fileId: 1, first: 1 }] },
);
