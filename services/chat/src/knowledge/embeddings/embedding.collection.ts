import { embeddingId, generationFailure, modelKey } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** How far an organisation's passages are with their vectors. There is one where a provider embeds, or has once. */
export const embeddingRows = collection(
  'embeddings',
  {
    _id: orgId,
    orgId,
    /** The model of all vectors that there are; null: they only go. */
    of: modelKey.nullable(),
    /** Vectors of another model are still there. */
    isForgetting: z.boolean(),
    /** Of the model's vectors; null before the first. */
    dimensions: z.number().int().nullable(),
    /** The number of the last batch that was stored. */
    revision: z.number().int(),
    /** The model is being asked: whoever takes over from a dead worker writes down what that can have used. */
    asking: z
      .strictObject({
        id: embeddingId,
        model: modelKey,
        upstream: z.strictObject({ host: z.string(), model: z.string() }),
        inputTokens: z.number().int(),
      })
      .nullable(),
    /** A worker's, of one step; null between two. */
    leaseHolder: z.string().nullable(),
    leaseUntil: z.date(),
    nextAt: z.date(),
    /** How often in a row the model gave none, and why the last time. */
    failures: z.number().int(),
    failure: generationFailure.nullable(),
    /** How many passages are asked for at once; absent in what earlier versions have written. */
    batch: z.number().int().optional(),
    /** More passages than may have vectors. */
    isFull: z.boolean(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ nextAt: 1 }] },
);
export type EmbeddingRow = RowOf<typeof embeddingRows>;
