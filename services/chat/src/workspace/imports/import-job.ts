import { importId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { importRows } from './import.collection.ts';

/** Checks an upload, or imports its chats one after the other: whatever its row wants. */
export const importChats = defineJob('import-chats', {
  input: z.strictObject({ importId, orgId, userId }),
  keyOf: ({ importId: id }) => id,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  slots: { all: 2, ofPerson: 1 },
  leaseMs: 15_000,
  // Workers that die without a chat between them. What fails and is not killed ends sooner (`mostFailures`).
  attempts: 25,
  pauseMs: (attempt) => Math.min(1_000 * 2 ** attempt, 60_000),
  sliceMs: 20_000,
});

/** Imports that were under way when the queue was not declared yet. */
export const importsToJobs = queueWaiting({
  name: 'jobs-of-imports',
  title: 'queueing imports that are under way',
  rows: importRows,
  oldIndexes: [
    'isWanted_1_dueAt_1',
    'isWanted_1_orgId_1_userId_1_dueAt_1',
    'isRunning_1_isWanted_1_dueAt_1',
    'isSettling_1_dueAt_1',
  ],
  job: importChats,
  jobOf: ({ _id, orgId: organisation, userId: person, isWanted }) =>
    isWanted ? { input: { importId: _id, orgId: organisation, userId: person } } : null,
});
