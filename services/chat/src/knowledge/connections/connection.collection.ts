import { audience, connectionId, connectionSource, syncFailure, syncProgress, syncSchedule } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A data connection: where documents come from, who may read them, and how far the sync is. That for uploads with which
 * every organisation begins is there when somebody has first changed it. People change what `version` counts; the
 * worker that holds the lease changes the rest, so that neither gets into the other's way.
 */
export const connectionRows = collection(
  'connections',
  {
    _id: connectionId,
    orgId,
    name: z.string(),
    source: connectionSource,
    sealedSecret: z.string().nullable(),
    audience,
    schedule: syncSchedule,
    isPaused: z.boolean(),
    version: z.number().int(),
    createdAt: z.date(),
    createdBy: z.strictObject({ userId, name: z.string() }).nullable(),
    /** Nobody sees it any more, its documents are being removed. */
    isDeleted: z.boolean(),
    /** idle → waiting → running → idle; one of an organisation runs at a time. */
    syncState: z.enum(['idle', 'waiting', 'running']),
    /** When it waits by itself; null is never. */
    nextSyncAt: z.date().nullable(),
    /** Since when it waits, by our clock; absent in what earlier versions have written. */
    queuedAt: z.date().optional(),
    /** The attempt that syncs it: another one has lost it. */
    leaseHolder: z.string().nullable(),
    /** Counts the syncs that have begun: what the last complete one has not seen is gone from the source. */
    run: z.number().int(),
    startedAt: z.date().nullable(),
    /** Where a list was when its worker kept it last. */
    cursor: z.string().nullable(),
    progress: syncProgress,
    lastSync: syncProgress.extend({ at: z.date(), failure: syncFailure.nullable() }).nullable(),
    /** So many syncs in a row have failed. */
    failures: z.number().int(),
    removal: z.strictObject({ run: z.number().int(), count: z.number().int(), of: z.number().int() }).nullable(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, _id: 1 },
      [{ orgId: 1 }, { unique: true, partialFilterExpression: { syncState: 'running' } }],
    ],
  },
);
export type ConnectionRow = RowOf<typeof connectionRows>;
