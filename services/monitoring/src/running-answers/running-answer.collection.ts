import { generationId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** An answer from its question to its end. */
export const runningAnswerRows = collection(
  'live_generations',
  { _id: generationId, orgId, userId, model: z.string(), queuedAt: z.date() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, queuedAt: 1 }] },
);
export type RunningAnswerRow = RowOf<typeof runningAnswerRows>;
