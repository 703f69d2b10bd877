import { webhookId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import type { DataMigration } from '@parley/platform/schema';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { deliveryRows, webhookRows } from './webhook.collection.ts';
import { mostTurns } from './webhook.ts';

/** Tells one webhook what is new in the stream, and sends again what is due. */
export const tellWebhook = defineJob('tell-webhook', {
  input: z.strictObject({ webhookId, orgId, createdBy: userId }),
  keyOf: ({ webhookId: id }) => id,
  ownerOf: ({ orgId: organisation, createdBy: person }) => ({ orgId: organisation, person }),
  slots: { all: mostTurns },
  // Longer than an attempt at a delivery takes.
  leaseMs: 40_000,
  attempts: 20,
  pauseMs: () => 10_000,
  sliceMs: 10_000,
});

const queueOn = queueWaiting({
  name: 'jobs-of-webhooks',
  title: 'queueing webhooks that are on',
  rows: webhookRows,
  oldIndexes: ['state_1'],
  job: tellWebhook,
  jobOf: ({ _id, orgId: organisation, state, createdBy }) =>
    state === 'on' ? { input: { webhookId: _id, orgId: organisation, createdBy } } : null,
});

/** Webhooks that were on when the queue was not declared yet: the job finds out when each has something to tell. */
export const webhooksToJobs: DataMigration = {
  ...queueOn,
  async batch(mongo, cursor) {
    if (cursor === null)
      for (const index of ['state_1_nextAt_1', 'state_1_webhookId_1_nextAt_1'])
        await mongo.dropIndex(deliveryRows, index);
    return queueOn.batch(mongo, cursor);
  },
};
