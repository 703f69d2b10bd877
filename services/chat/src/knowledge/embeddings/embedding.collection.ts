import { generationFailure, modelKey } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { queueWaiting } from '@parley/platform/jobs';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';
import { embedPassages } from '../../assistants/models/index.ts';
import { asking } from './embedding-calls.ts';

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
    asking: asking.nullable(),
    /** The holder of a worker of release 0.4.0, and until when such workers leave the row alone. */
    leaseHolder: z.string().nullable(),
    leaseUntil: z.date(),
    /** The model is asked nothing before, even if passages come meanwhile. */
    nextAt: z.date(),
    /** How often in a row the model gave none, and why the last time. */
    failures: z.number().int(),
    failure: generationFailure.nullable(),
    /** How many passages are asked for at once; absent in what earlier versions have written. */
    batch: z.number().int().optional(),
    /** More passages than may have vectors. */
    isFull: z.boolean(),
  },
  { tenant: { organisation: 'orgId' } },
);
export type EmbeddingRow = RowOf<typeof embeddingRows>;

/** Organisations with vectors, or some that had to go, when the queue was not declared yet. */
export const embeddingRowsToJobs = queueWaiting({
  name: 'jobs-of-embeddings',
  title: 'queueing passages without vectors',
  rows: embeddingRows,
  oldIndexes: ['nextAt_1'],
  job: embedPassages,
  jobOf: ({ orgId: organisation }) => ({ input: { orgId: organisation } }),
});
