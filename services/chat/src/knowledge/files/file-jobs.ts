import { fileId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { isUnread, readFile, type ReadingInput } from '../documents/index.ts';
import { fileRows, type FileRow } from './file.collection.ts';
import { fileEmbeddingRows } from './file-embedding.collection.ts';

/** Gives passages of a file that a question has searched their vectors, a batch each time. */
export const embedFile = defineJob('embed-file', {
  input: z.strictObject({ fileId, orgId, userId }),
  keyOf: ({ fileId: id }) => id,
  ownerOf: ({ orgId: organisation, userId: person }) => ({ orgId: organisation, person }),
  slots: { all: 2 },
  // Longer than a batch can take: five seconds for billing, and what the model may take.
  leaseMs: 30_000,
  // In a row, without a batch between them; then the file has no more vectors until a question searches it again.
  attempts: 8,
  pauseMs: (attempt) => Math.min(1_000 * 2 ** (attempt - 1), 60_000),
});

/** Erases a file that nothing refers to, when nothing has referred to it for long enough; keeps it otherwise. */
export const checkFile = defineJob('check-file', {
  input: z.strictObject({ fileId, orgId }),
  keyOf: ({ fileId: id }) => id,
  ownerOf: ({ orgId: organisation }) => ({ orgId: organisation, person: '' }),
  slots: { all: 2 },
  leaseMs: 60_000,
  // A day: a store of files that is away for an hour must not leave anything behind.
  attempts: 1_440,
  pauseMs: () => 60_000,
});

export const waitsToBeRead = ({ status, isErasing }: FileRow): boolean => !isErasing && isUnread({ status });

/** Returns what the reading of a file is queued with. */
export const readingOf = ({ _id: id, orgId: organisation, queuedBy }: FileRow): ReadingInput => ({
  source: 'files',
  id,
  orgId: organisation,
  queuedBy,
});

/** Files that waited to be read when the queue was not declared yet. */
export const unreadFilesToJobs = queueWaiting({
  name: 'jobs-of-unread-files',
  title: 'queueing files that were not read',
  rows: fileRows,
  oldIndexes: [
    'status_1_leaseUntil_1',
    'status_1_isErasing_1_queuedAt_1',
    'status_1_isErasing_1_orgId_1_queuedBy_1_queuedAt_1',
  ],
  job: readFile,
  jobOf: (row) => (waitsToBeRead(row) ? { input: readingOf(row) } : null),
});

/** Files that were to be checked when the queue was not declared yet. */
export const checksToJobs = queueWaiting({
  name: 'jobs-of-file-checks',
  title: 'noting when files are checked',
  rows: fileRows,
  oldIndexes: ['checkAt_1'],
  job: checkFile,
  jobOf: ({ _id, orgId: organisation, checkAt }) =>
    checkAt ? { input: { fileId: _id, orgId: organisation }, at: checkAt } : null,
});

/** Files that waited for vectors when the queue was not declared yet. */
export const embeddingsToJobs = queueWaiting({
  name: 'jobs-of-file-vectors',
  title: 'queueing files without vectors',
  rows: fileEmbeddingRows,
  oldIndexes: ['isWanted_1_dueAt_1', 'isWanted_1_orgId_1_userId_1_dueAt_1'],
  job: embedFile,
  jobOf: ({ _id, orgId: organisation, userId: person, isWanted }) =>
    isWanted ? { input: { fileId: _id, orgId: organisation, userId: person } } : null,
});
