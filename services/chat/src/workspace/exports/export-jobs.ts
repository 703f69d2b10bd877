import { exportId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { exportRows } from './export.collection.ts';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';

const input = z.strictObject({ exportId, orgId, userId });
type Input = z.output<typeof input>;
const whose = {
  input,
  keyOf: ({ exportId: id }: Input) => id,
  ownerOf: ({ orgId: organisation, userId: person }: Input) => ({ orgId: organisation, person }),
};

/** Writes the ZIP of an export from its beginning. */
export const writeExport = defineJob('write-export', {
  ...whose,
  slots: { all: 2 },
  leaseMs: 30_000,
  attempts: 3,
  pauseMs: (attempt) => attempt * 10_000,
});

/** Erases an export that was deleted, or whose seven days are over. */
export const eraseExport = defineJob('erase-export', {
  ...whose,
  slots: { all: 2 },
  leaseMs: 30_000,
  // A day: a store of files that is away for an hour must not leave anything behind.
  attempts: 1_440,
  pauseMs: () => 60_000,
});

/** Exports that waited, were written or were kept when the queue was not declared yet. */
export const exportsToJobs = [
  queueWaiting({
    name: 'jobs-of-exports',
    title: 'queueing exports that wait',
    rows: exportRows,
    oldIndexes: ['isPending_1_dueAt_1', 'isPending_1_orgId_1_userId_1_dueAt_1', 'eraseAt_1'],
    job: writeExport,
    jobOf: ({ _id, orgId, userId: person, isPending }) =>
      isPending ? { input: { exportId: _id, orgId, userId: person } } : null,
  }),
  queueWaiting({
    name: 'jobs-of-kept-exports',
    title: 'noting when exports are erased',
    rows: exportRows,
    job: eraseExport,
    jobOf: ({ _id, orgId, userId: person, eraseAt }) =>
      eraseAt ? { input: { exportId: _id, orgId, userId: person }, at: eraseAt } : null,
  }),
];
