import { orgId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** A file that is being stored and that no row has yet, by its key. The storage quota counts its bytes. */
export const pendingFileRows = collection(
  'pending_files',
  {
    _id: z.string(),
    orgId,
    /** How many requests store it now: the same id can be sent several times at once. */
    uploads: z.number().int(),
    bytes: z.number(),
    /** Whether a row has it by now: then only this entry goes. */
    isKept: z.boolean(),
    /** Its file is being deleted: nobody can store it until that is done. */
    isGoing: z.boolean(),
    /** When whoever stores it has died. */
    dueAt: z.date(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }, { dueAt: 1 }] },
);
export type PendingFileRow = RowOf<typeof pendingFileRows>;
