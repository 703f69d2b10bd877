import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, conversationId, generationId, ledgerEntryId, rateId } from '../../ids.ts';
import { timeZone } from '../../people.ts';
import { currency } from './rates.ts';
import { chatbotVersionRef } from '../chat/assistants/chatbots.ts';

export * from './budget-events.ts';
export * from './budgets.ts';
export * from './invoices.ts';
export * from './orders.ts';
export * from './rates.ts';
export * from './reservations.ts';
export * from './spend.ts';

/**
 * An entry of the usage ledger, never changed: an attempt of an answer (unique by `generationId:attempt`), the title of
 * a chat, or an embedding, which has no answer, no conversation and, for passages, no person. Costs are integer
 * micro-units of the installation's currency, by the price at the end of the attempt; null if there was no price. The
 * built-in assistant costs nothing.
 */
export const ledgerEntry = z.strictObject({
  id: ledgerEntryId,
  kind: z.enum(['answer', 'embedding', 'title']),
  generationId: generationId.nullable(),
  attempt: z.number().int(),
  conversationId: conversationId.nullable(),
  userId: userId.nullable(),
  model: z.string(),
  /** The chatbot and its version; null in entries from before there were chatbots. Version 0 for an embedding. */
  chatbot: chatbotVersionRef.nullable(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Input tokens that the model server had cached. */
  cachedTokens: z.number().int(),
  estimated: z.boolean(),
  /** `cut`: the answer reached a limit of the model or of a budget. Versions up to 0.3.0 stored `failed`. */
  outcome: z.enum(['done', 'stopped', 'cut', 'failed', 'interrupted']),
  costMicros: z.number().int().nullable(),
  rateId: rateId.nullable(),
  /** The currency of the cost; null if the attempt had no price. */
  currency: currency.nullable(),
  at: timestamp,
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

const outcome = ledgerEntry.shape.outcome;

/**
 * Lists entries of the usage ledger in a period, newest first, filtered by at most one of `generationId`, `model`,
 * `chatbotId`, `userId` and `outcome`. Without `usage:read_person`, `userId` and `name` are null, and filtering by
 * person is 403. The name of a former member is null.
 */
export const listLedgerEntries = defineRoute({
  service: 'billing',
  route: 'GET /api/billing/ledger-entries',
  scope: 'organisation',
  permission: 'billing:read',
  cost: 'report',
  query: pageQuery
    .extend({
      from: timestamp.optional(),
      until: timestamp.optional(),
      generationId: generationId.optional(),
      model: z.string().min(1).max(300).optional(),
      chatbotId: chatbotId.optional(),
      userId: userId.optional(),
      outcome: outcome.optional(),
    })
    .refine(
      ({ generationId: one, model, chatbotId: bot, userId: person, outcome: end }) =>
        [one, model, bot, person, end].filter((given) => given !== undefined).length < 2,
      'at most one of generationId, model, chatbotId, userId and outcome',
    ),
  response: pageOf(ledgerEntry.extend({ name: z.string().nullable() })),
});

/** Limits the ledger entries that are added up for one person and month. */
export const mostUsageEntries = 10_000;

/** Usage of one model by one person on one day. */
export const dayUsage = z.strictObject({
  /** A date in the requested time zone, such as `2026-11-21`. */
  day: z.iso.date(),
  model: z.string(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  answers: z.number().int(),
  /** The cost of attempts with a price. */
  costMicros: z.number().int(),
  /** Attempts without a price, so of unknown cost. */
  unpricedAttempts: z.number().int(),
});
export type DayUsage = z.infer<typeof dayUsage>;

/**
 * Returns the person's own usage in this organisation in a month of the given time zone, by day and model, oldest
 * first. `isCut`: there were too many entries, and later ones are missing.
 */
export const getMyUsage = defineRoute({
  service: 'billing',
  route: 'GET /api/billing/my-usage',
  scope: 'organisation',
  permission: 'usage:read_own',
  cost: 'report',
  query: z.strictObject({
    month: z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'a month such as 2026-11'),
    zone: timeZone,
  }),
  response: z.strictObject({
    days: z.array(dayUsage),
    isCut: z.boolean(),
    /** The currency of all costs; null before the installation has its first price. */
    currency: currency.nullable(),
  }),
});

/**
 * Returns today's spend of an organisation, in the time zone of its budgets. Attempts without a price are counted from
 * midnight UTC.
 */
export const getSpendToday = defineRoute({
  service: 'billing',
  route: 'GET /internal/billing/organisations/:orgId/spend-today',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  response: z.strictObject({
    costMicros: z.number().int(),
    unpricedAttempts: z.number().int(),
    /** The currency of all costs; null before the installation has its first price. */
    currency: currency.nullable(),
  }),
});

/** Usage of all attempts of one answer together. */
export const answerCost = z.strictObject({
  generationId,
  /** Null if an attempt has no price. */
  costMicros: z.number().int().nullable(),
  currency: currency.nullable(),
  /**
   * Cost and tokens that the answer used beyond its reservation, because the model didn't keep to its limit; null for
   * none.
   */
  excess: z.strictObject({ costMicros: z.number().int(), tokens: z.number().int() }).nullable(),
});
export type AnswerCost = z.infer<typeof answerCost>;

/** Limits the attempts that `listMyAnswers` reads, newest first. */
export const mostAnswerCosts = 200;

/**
 * Lists the costs of the person's own answers in a conversation, newest first. An answer is listed a moment after its
 * end.
 */
export const listMyAnswers = defineRoute({
  service: 'billing',
  route: 'GET /api/billing/my-answers',
  scope: 'organisation',
  permission: 'usage:read_own',
  cost: 'report',
  query: z.strictObject({ conversationId }),
  response: z.strictObject({ items: z.array(answerCost) }),
});

/**
 * A ledger entry was added. These events add up to billing's sums, except for titles, whose entries aren't published.
 * `parley republish --service billing` publishes all of them again.
 */
export const ledgerEntryAdded = defineEvent('ledger.entry-added.v1', 'billing', {
  data: z.object({
    orgId,
    entryId: ledgerEntryId,
    /** Missing for answers. All other uses of tokens have `embedding`, the only value that readers of 0.2.0 know. */
    kind: z.literal('embedding').optional(),
    /** For entries without an answer: the requested host, and the chatbot, null without one. */
    host: z.string().optional(),
    chatbotId: chatbotId.nullable().optional(),
    /** Null for an embedding that no person asked for. */
    userId: userId.nullable(),
    model: z.string(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    /** Null is unpriced. */
    costMicros: z.number().int().nullable(),
    /** The currency of the cost; null if the attempt had no price. */
    currency: currency.nullable(),
    /** Of the entry. */
    at: timestamp,
  }),
  key: 'entryId',
  identity: [],
  live: null,
  audit: 'Nobody acts.',
});

export const billingRoutes = { listLedgerEntries, getMyUsage, listMyAnswers, getSpendToday };
