import { defineRoute, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, embeddingId, generationId, groupId } from '../../ids.ts';
import { modelKey } from '../chat/assistants/models.ts';

const tokens = z.number().int().min(0).max(10_000_000_000);
/** An attempt of an answer, or the only one of an embedding. */
const reservation = { orgId, generationId: generationId.or(embeddingId), attempt: z.number().int().positive() };
/**
 * Reserves the most that an attempt can use under every hard limit that counts it, or nothing: 409 `billing.budget-spent`
 * with the budget and the amount in `current`. Repeating it changes nothing but the lease, which ends after 15 s unless
 * it is renewed. `inputTokens` is an upper bound of the prompt, `outputTokens` the limit that the model is given;
 * where that does not fit, the largest that does is reserved and answered, but not less than `leastOutputTokens`. `ended` is what earlier attempts of the answer have used: what was reserved for them becomes that.
 */
export const reserveBudget = defineRoute({
  service: 'billing',
  route: 'POST /internal/billing/reservations',
  scope: 'internal',
  body: z.strictObject({
    ...reservation,
    /** Null for the organisation itself. */
    userId: userId.nullable(),
    groupIds: z.array(groupId),
    model: modelKey,
    /** Absent where a version without chatbots asks. */
    chatbotId: chatbotId.optional(),
    upstream: z.strictObject({ host: z.string(), model: z.string() }),
    inputTokens: tokens,
    outputTokens: tokens,
    /** Absent in what 0.2.0 asks: `outputTokens` or nothing. */
    leastOutputTokens: tokens.optional(),
    ended: z.array(z.strictObject({ attempt: z.number().int().positive(), inputTokens: tokens, outputTokens: tokens })),
  }),
  /** Tells how many are reserved; absent where nothing has to be, and in answers of 0.2.0: as many as were asked for. */
  response: z.strictObject({ outputTokens: tokens.optional() }),
});

/** What is still being written; what is not held any more is passed over. */
export const renewReservations = defineRoute({
  service: 'billing',
  route: 'POST /internal/billing/reservations/renew',
  scope: 'internal',
  status: 204,
  body: z.strictObject({ reservations: z.array(z.strictObject(reservation)).max(2_000) }),
});

/** What `billing.budget-spent` carries in `current`: which budget, and what the answer would have held of it. */
export type BudgetSpent = {
  readonly budgetId: string;
  readonly amount: number;
  /** There would be room without what answers reserve that are being written; absent in what 0.3.0 answers. */
  readonly isOnlyReserved?: boolean;
};
