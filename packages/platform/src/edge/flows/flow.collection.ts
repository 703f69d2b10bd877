import { orgId } from '@parley/protocol';
import { collection } from '../../rows/mongo/index.ts';
import { z } from 'zod';

/** A copy of what org says: which flow an organisation uses. One without a row uses the flow of those that are not approved. */
export const flowRows = collection(
  'organisation_flows',
  {
    _id: orgId,
    /** The organisation's own id once it is approved. Anything else, as earlier versions kept it, is the shared flow. */
    flow: z.string(),
    /** Of which rights version of the organisation this is a copy. */
    rightsVersion: z.number().int(),
    /** When the copy was made: each process reads what is new. */
    changedAt: z.date(),
  },
  { tenant: { organisation: '_id' }, indexes: [{ changedAt: 1 }] },
);
