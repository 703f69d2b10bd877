import { orgId } from '@parley/contracts';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** One row per organisation; every field only grows, and is there from its first event on. */
export const generationCountRows = collection(
  'generation_counts',
  {
    _id: orgId,
    queued: z.number(),
    done: z.number(),
    stopped: z.number(),
    failed: z.number(),
    interrupted: z.number(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    since: z.date(),
  },
  { tenant: { organisation: '_id' } },
);
