import { z } from 'zod';
import { conversationId, generationId, ledgerEntryId, userId } from '../ids.ts';
import { defineRoute } from '../http/define-route.ts';
import { pageOf, pageQuery, timestamp } from '../http/paging.ts';

/**
 * One priced attempt of one answer; append only, unique by `generationId:attempt`. Cost in integer micro-units of the
 * installation's currency.
 */
export const ledgerEntry = z.strictObject({
  id: ledgerEntryId,
  generationId,
  attempt: z.number().int(),
  conversationId,
  userId,
  model: z.string(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  estimated: z.boolean(),
  outcome: z.enum(['done', 'stopped', 'failed', 'interrupted']),
  costMicros: z.number().int(),
  at: timestamp,
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

/** The usage ledger, newest first. */
export const listLedgerEntries = defineRoute({
  service: 'billing',
  route: 'GET /api/billing/ledger-entries',
  scope: 'organisation',
  permission: 'billing:read',
  query: pageQuery.extend({ generationId: generationId.optional() }),
  response: pageOf(ledgerEntry),
});

export const billingRoutes = { listLedgerEntries };
