import { orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** A file that is being stored and that no row has yet, by its key. The storage quota counts its bytes. */
export const pendingFileRows = collection(
  'pending_files',
  {
    _id: z.string(),
    orgId,
    /** Counts the requests that store it now: clients can send the same id several times at once. */
    uploads: z.number().int(),
    bytes: z.number(),
    /** A row has it: then only this entry is deleted. */
    isKept: z.boolean(),
    /** Its file is being deleted, and no request can store it until that is done. */
    isGoing: z.boolean(),
    /** After this time, the process that stores it has died. */
    dueAt: z.date(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }, { dueAt: 1 }] },
);
export type PendingFileRow = RowOf<typeof pendingFileRows>;
