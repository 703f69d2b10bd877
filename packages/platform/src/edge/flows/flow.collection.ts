import { orgId } from '@parley/protocol';
import { collection } from '../../rows/mongo/index.ts';
import { z } from 'zod';

/** A copy of what org says: which organisations share their turns. One without a row has a flow of its own. */
export const flowRows = collection(
  'organisation_flows',
  {
    _id: orgId,
    flow: z.string(),
    /** Of which rights version of the organisation this is a copy. */
    rightsVersion: z.number().int(),
    /** When the copy was made: each process reads what is new. */
    changedAt: z.date(),
  },
  { tenant: { organisation: '_id' }, indexes: [{ changedAt: 1 }] },
);
