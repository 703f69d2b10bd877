import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { providerRows } from './provider.collection.ts';

/** Embeds an organisation's passages in batches, or deletes vectors that another model made. */
export const embedPassages = defineJob('embed-passages', {
  input: z.strictObject({ orgId }),
  keyOf: ({ orgId: organisation }) => organisation,
  ownerOf: ({ orgId: organisation }) => ({ orgId: organisation, person: '' }),
  slots: { all: 4 },
  // Longer than a batch can take: five seconds for billing, and what the model may take.
  leaseMs: 30_000,
  // Lasts a day, at one attempt a minute, while workers die or stores are away. Failures of the model are counted in the row instead.
  attempts: 1_440,
  pauseMs: () => 60_000,
});

/** Queues jobs for organisations whose provider embedded before this queue existed. */
export const embeddingProvidersToJobs = queueWaiting({
  name: 'jobs-of-embedding-providers',
  title: 'queueing passages for embedding models',
  rows: providerRows,
  oldIndexes: ['embeddingModel_1_orgId_1'],
  job: embedPassages,
  jobOf: ({ orgId: organisation, embeddingModel }) => (embeddingModel ? { input: { orgId: organisation } } : null),
});
