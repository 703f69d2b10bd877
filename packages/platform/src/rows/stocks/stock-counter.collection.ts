import { counterNames } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { collection } from '../mongo/index.ts';

/** How much an organisation, or one person in it, has of something. One row is one point of conflict. */
export const stockCounterRows = collection(
  'stock_counters',
  {
    /** `<organisation>/<stock>`, with `/<person>` behind it for what a person has. */
    _id: z.string(),
    orgId,
    /** Null for what the organisation has. */
    userId: userId.nullable(),
    stock: z.enum(counterNames),
    used: z.number().int(),
    /** Set by a platform admin, in the organisation's row; null for the default. */
    ceiling: z.number().int().nullable(),
    /** How often it was changed, so that a recount notices a change beside it. */
    changes: z.number().int(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ stock: 1, orgId: 1 }] },
);
