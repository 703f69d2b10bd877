import { orgId } from '@parley/protocol';
import { collection } from '../../rows/mongo/index.ts';
import { z } from 'zod';

/**
 * Stores which flow (share of capacity) an organisation belongs to, as the service org announced it. An organisation
 * without a row belongs to the flow that all organisations without approval share.
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
