import { orgId } from '@parley/protocol';
import { collection } from '../../rows/mongo/index.ts';
import { z } from 'zod';

/**
 * Stores a copy of org's statement about which flow an organisation uses. Without a row it uses the flow of
 * organisations that aren't approved.
 */
export const flowRows = collection(
  'organisation_flows',
  {
    _id: orgId,
    /** The organisation's own id if it is approved. Any other value, as earlier versions stored, is the shared flow. */
    flow: z.string(),
    /** The version of the organisation's permissions at the time of this copy. */
    rightsVersion: z.number().int(),
    /** When the copy was made. Each process reads copies that are newer than its last read. */
    changedAt: z.date(),
  },
  { tenant: { organisation: '_id' }, indexes: [{ changedAt: 1 }] },
);
