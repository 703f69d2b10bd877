import { connectionId } from '@parley/contracts';
import { defineJob, queueWaiting } from '@parley/platform/jobs';
import { orgId } from '@parley/protocol';
import { z } from 'zod';
import { connectionRows } from './connection.collection.ts';

/** Syncs the data connections of an organisation, one after the other, each when its time has come. */
export const syncConnections = defineJob('sync-connections', {
  input: z.strictObject({ orgId }),
  keyOf: ({ orgId: organisation }) => organisation,
  ownerOf: ({ orgId: organisation }) => ({ orgId: organisation, person: '' }),
  slots: { all: 4 },
  leaseMs: 45_000,
  // Workers that die without a step between them, and ends that could not be stored. The connection counts syncs that fail.
  attempts: 10,
  pauseMs: (attempt) => attempt * 10_000,
  sliceMs: 20_000,
});

/** Erases the documents of a deleted data connection, then the connection. */
export const eraseConnection = defineJob('erase-connection', {
  input: z.strictObject({ connectionId, orgId }),
  keyOf: ({ connectionId: id }) => id,
  ownerOf: ({ orgId: organisation }) => ({ orgId: organisation, person: '' }),
  slots: { all: 2 },
  leaseMs: 60_000,
  // A day: a store of files that is away for an hour must not leave anything behind.
  attempts: 1_440,
  pauseMs: () => 60_000,
  sliceMs: 5_000,
});

/** Data connections that were synced or erased when the queue was not declared yet. */
export const connectionsToJobs = [
  queueWaiting({
    name: 'jobs-of-syncs',
    title: 'queueing syncs of data connections',
    rows: connectionRows,
    oldIndexes: [
      'syncState_1_nextSyncAt_1',
      'syncState_1_leaseUntil_1',
      'syncState_1_queuedAt_1',
      'syncState_1_orgId_1_queuedAt_1',
      'isDeleted_1',
    ],
    job: syncConnections,
    // The job of an organisation finds out when its next connection is due.
    jobOf: ({ orgId: organisation, source, isDeleted }) =>
      isDeleted || source.kind === 'upload' ? null : { input: { orgId: organisation } },
  }),
  queueWaiting({
    name: 'jobs-of-deleted-connections',
    title: 'queueing deleted data connections',
    rows: connectionRows,
    job: eraseConnection,
    jobOf: ({ _id, orgId: organisation, isDeleted }) =>
      isDeleted ? { input: { connectionId: _id, orgId: organisation } } : null,
  }),
];
