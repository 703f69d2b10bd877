import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { providerRows } from './provider.collection.ts';

/** Gives passages of an organisation their vectors, a batch each time, or takes away those of another model. */
export const embedPassages = defineJob('embed-passages', {
  input: z.strictObject({ orgId }),
  keyOf: ({ orgId: organisation }) => organisation,
  ownerOf: ({ orgId: organisation }) => ({ orgId: organisation, person: '' }),
  slots: { all: 4 },
  // Longer than a batch can take: five seconds for billing, and what the model may take.
  leaseMs: 30_000,
  // A day of workers that die and of stores that are away. The row counts what the model refuses.
  attempts: 1_440,
  pauseMs: () => 60_000,
});

/** Organisations whose provider embedded when the queue was not declared yet. */
export const embeddingProvidersToJobs = queueWaiting({
  name: 'jobs-of-embedding-providers',
  title: 'queueing passages for embedding models',
  rows: providerRows,
  oldIndexes: ['embeddingModel_1_orgId_1'],
  job: embedPassages,
  jobOf: ({ orgId: organisation, embeddingModel }) => (embeddingModel ? { input: { orgId: organisation } } : null),
});
