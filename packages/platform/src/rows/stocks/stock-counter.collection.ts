import { stockNames } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { collection } from '../mongo/index.ts';

/**
 * What is set for a quota of an organisation, and where two transactions that add meet: each writes the row. One that
 * counts rows has this row as its guard, one with a counter has the counter in it.
 */
export const stockCounterRows = collection(
  'stock_counters',
  {
    /** `<organisation>/<stock>`, with `/<person>` behind it for what a person has. */
    _id: z.string(),
    orgId,
    /** Null for what the organisation has. */
    userId: userId.nullable(),
    stock: z.enum(stockNames),
    /** Only of a counter; 0.3.0 has written it for others too, where nothing reads it. */
    used: z.number().int().optional(),
    /** Set by a platform admin, in the organisation's row; null for the default. */
    ceiling: z.number().int().nullable(),
    /** How often it was written, so that a recount notices a change beside it. */
    changes: z.number().int(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ stock: 1, orgId: 1 }] },
);
