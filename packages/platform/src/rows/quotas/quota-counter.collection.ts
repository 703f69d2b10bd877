import { quotaNames } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { collection } from '../mongo/index.ts';

/**
 * Stores the ceiling and the counter of an organisation's quota. Each transaction that adds something writes the row,
 * so of two concurrent ones the second runs again. A quota whose rows are counted has no counter, and its row only
 * makes such transactions conflict.
 */
export const quotaCounterRows = collection(
  'quota_counters',
  {
    /** `<organisation>/<quota>`, followed by `/<person>` for a person's quota. */
    _id: z.string(),
    orgId,
    /** Null for the organisation's quota. */
    userId: userId.nullable(),
    quota: z.enum(quotaNames),
    /**
     * The counter; missing for quotas without one. Earlier versions had one for other quotas, too: those
     * counters are never read.
     */
    used: z.number().int().optional(),
    /** The limit set by a platform admin, also for persons' quotas, in the organisation's row; null for the default. */
    ceiling: z.number().int().nullable(),
    /** Counts the writes of the row, so that a recount notices a concurrent change. */
    changes: z.number().int(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ quota: 1, orgId: 1 }] },
);
