import { connectionId } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Addresses that one sync of a web site has found, and which of them it has visited: whoever goes on begins there. */
export const syncAddressRows = collection(
  'sync_addresses',
  {
    /** `<connection>/<run>/<hash of the address>` */
    _id: z.string(),
    orgId,
    connectionId,
    run: z.number().int(),
    address: z.string(),
    depth: z.number().int(),
    isVisited: z.boolean(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ connectionId: 1, run: 1, isVisited: 1, depth: 1 }] },
);
