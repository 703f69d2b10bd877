import { connectionId, documentId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { connectionOf } from '../connections/index.ts';
import { isUnread, readFile, type ReadingInput } from './reading/reading-jobs.ts';
import { documentRows, type DocumentRow } from './rows/document.collection.ts';

/** Erases a deleted document, once nobody can restore it. Connections of an organisation take turns. */
export const eraseDocument = defineJob('erase-document', {
  input: z.strictObject({ documentId, orgId, connectionId }),
  keyOf: ({ documentId: id }) => id,
  ownerOf: ({ orgId: organisation, connectionId: connection }) => ({ orgId: organisation, person: connection }),
  slots: { all: 2 },
  leaseMs: 60_000,
  // A day: a store of files that is away for an hour must not leave anything behind.
  attempts: 1_440,
  pauseMs: () => 60_000,
});

/** Returns what the job of a document is queued with. */
export const erasingOf = (row: Pick<DocumentRow, '_id' | 'orgId' | 'connectionId'>) => ({
  documentId: row._id,
  orgId: row.orgId,
  connectionId: connectionOf(row),
});

/** Returns when a deleted document can be erased; null for one that is not deleted. */
export function eraseAtOf({ isErasing, isDeleted, deletedAt }: DocumentRow): Date | null {
  if (isErasing) return new Date(0);
  return isDeleted && deletedAt ? new Date(deletedAt.getTime() + keepDeletedMs) : null;
}

export const waitsToBeRead = ({ status, isDeleted }: DocumentRow): boolean => !isDeleted && isUnread({ status });

/** Returns what the reading of a document is queued with. */
export const readingOf = ({ _id: id, orgId: organisation, queuedBy = '' }: DocumentRow): ReadingInput => ({
  source: 'documents',
  id,
  orgId: organisation,
  queuedBy,
});

/** Documents that waited to be read when the queue was not declared yet. */
export const unreadDocumentsToJobs = queueWaiting({
  name: 'jobs-of-unread-documents',
  title: 'queueing documents that were not read',
  rows: documentRows,
  oldIndexes: [
    'status_1_leaseUntil_1',
    'status_1_isDeleted_1_queuedAt_1',
    'status_1_isDeleted_1_orgId_1_queuedBy_1_queuedAt_1',
  ],
  job: readFile,
  jobOf: (row) => (waitsToBeRead(row) ? { input: readingOf(row) } : null),
});

/** Documents that were deleted when the queue was not declared yet. */
export const deletedDocumentsToJobs = queueWaiting({
  name: 'jobs-of-deleted-documents',
  title: 'noting when deleted documents are erased',
  rows: documentRows,
  oldIndexes: ['isDeleted_1_deletedAt_1', 'isErasing_1'],
  job: eraseDocument,
  jobOf: (row) => {
    const at = eraseAtOf(row);
    return at ? { input: erasingOf(row), at } : null;
  },
});
