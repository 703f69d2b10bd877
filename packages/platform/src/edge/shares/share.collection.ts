import { orgId } from '@parley/protocol';
import { collection } from '../../rows/mongo/index.ts';
import { z } from 'zod';

/** A copy of what org says: which organisations share their turns. One without a row has a share of its own. */
export const shareRows = collection(
  'organisation_shares',
  {
    _id: orgId,
    share: z.string(),
    /** Of which rights version of the organisation this is a copy. */
    rightsVersion: z.number().int(),
    /** When the copy was made: each process reads what is new. */
    changedAt: z.date(),
  },
  { tenant: { organisation: '_id' }, indexes: [{ changedAt: 1 }] },
);
