import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** A file that no row has yet, or any more, by its key. The storage quota counts its bytes. */
export const pendingFileRows = collection(
  'pending_files',
  {
    _id: z.string(),
    orgId,
    bytes: z.number(),
    /**
     * Marks a key that a row uses, so only this entry is deleted and the file stays. Written up to 0.3.0, where all versions
     * of a document shared one key.
     */
    isKept: z.boolean().optional(),
    uploads: z.number().int().optional(),
    /** Its file is being deleted: no row gets it any more. */
    isGoing: z.boolean(),
    /** From then on a job deletes it. The process that stores it has died by then. */
    dueAt: z.date(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }, { dueAt: 1 }] },
);
export type PendingFileRow = RowOf<typeof pendingFileRows>;
