import { conversationId, generationId, ledgerEntryId, orgId, userId } from '@parley/contracts';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Append only: one entry per attempt, however often its event comes. */
export const ledgerEntryRows = collection(
  'ledger_entries',
  {
    _id: ledgerEntryId,
    orgId,
    generationId,
    attempt: z.number(),
    conversationId,
    userId,
    model: z.string(),
    inputTokens: z.number(),
    outputTokens: z.number(),
    estimated: z.boolean(),
    outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
    costMicros: z.number(),
    at: z.date(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ orgId: 1, _id: -1 }, [{ generationId: 1, attempt: 1 }, { unique: true }]],
  },
);
