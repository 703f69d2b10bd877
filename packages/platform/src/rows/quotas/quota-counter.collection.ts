import { quotaNames } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { collection } from '../mongo/index.ts';

/**
 * Holds what is set for a quota of an organisation. Each transaction that adds writes the row, so that of two at once
 * the second runs again: it is the guard of a quota whose rows are counted, and the counter of any other.
 */
export const quotaCounterRows = collection(
  'quota_counters',
  {
    /** `<organisation>/<quota>`, with `/<person>` behind it for what a person has. */
    _id: z.string(),
    orgId,
    /** Null for what the organisation has. */
    userId: userId.nullable(),
    quota: z.enum(quotaNames),
    /** Absent without a counter. 0.3.0 had one of every quota that can be set: nothing reads what those rows have here. */
    used: z.number().int().optional(),
    /** Set by a platform admin, in the organisation's row; null for the default. */
    ceiling: z.number().int().nullable(),
    /** Counts the writes, so that a recount notices a change beside it. */
    changes: z.number().int(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ quota: 1, orgId: 1 }] },
);
