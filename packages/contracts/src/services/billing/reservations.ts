import { defineRoute, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, embeddingId, generationId, groupId } from '../../ids.ts';
import { modelKey } from '../chat/assistants/models.ts';

const tokens = z.number().int().min(0).max(10_000_000_000);
/** Identifies a reservation: for an attempt of an answer, or for an embedding. */
const reservation = { orgId, generationId: generationId.or(embeddingId), attempt: z.number().int().positive() };
/**
 * Reserves the most that an attempt can use under every hard limit that counts it, or nothing: 409
 * `billing.budget-spent` with budget and amount in `current`. Idempotent, but renews the lease of 15 s. `inputTokens`
 * is an upper bound of the prompt, `outputTokens` the output limit for the model. If `outputTokens` don't fit, the most
 * that fit are reserved and returned, at least `leastOutputTokens`. `ended`: what earlier attempts of the answer used,
 * which replaces their reservation.
 */
export const reserveBudget = defineRoute({
  service: 'billing',
  route: 'POST /internal/billing/reservations',
  scope: 'internal',
  body: z.strictObject({
    ...reservation,
    /** The person whose budgets count the use; null if the organisation itself uses tokens, as for its documents. */
    userId: userId.nullable(),
    groupIds: z.array(groupId),
    model: modelKey,
    /** Missing in requests of versions without chatbots. */
    chatbotId: chatbotId.optional(),
    upstream: z.strictObject({ host: z.string(), model: z.string() }),
    inputTokens: tokens,
    outputTokens: tokens,
    /** Missing in requests of 0.2.0: the whole of `outputTokens` is reserved, or nothing. */
    leastOutputTokens: tokens.optional(),
    ended: z.array(z.strictObject({ attempt: z.number().int().positive(), inputTokens: tokens, outputTokens: tokens })),
  }),
  /**
   * The number of reserved output tokens. Missing if no reservation is needed, and in responses of 0.2.0, which
   * reserves all requested tokens.
   */
  response: z.strictObject({ outputTokens: tokens.optional() }),
});

/** Renews the leases of running answers. Unknown reservations are ignored. */
export const renewReservations = defineRoute({
  service: 'billing',
  route: 'POST /internal/billing/reservations/renew',
  scope: 'internal',
  status: 204,
  body: z.strictObject({ reservations: z.array(z.strictObject(reservation)).max(2_000) }),
});

/** `current` of `billing.budget-spent`: the budget, and what the answer would have reserved. */
export type BudgetSpent = {
  readonly budgetId: string;
  readonly amount: number;
  /** True if only the reservations of running answers leave too little room. Missing in responses of 0.3.0. */
  readonly isOnlyReserved?: boolean;
};
