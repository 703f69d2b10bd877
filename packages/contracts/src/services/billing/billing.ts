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
 * One attempt of one answer, unique by `generationId:attempt`, one title of a chat, or one embedding, which has no answer,
 * no conversation and, of passages, nobody who asked; append only. Cost in integer micro-units of the
 * installation's currency, by the rate that held when the attempt ended; null is unpriced: there was none. The built-in
 * assistant costs nothing.
 */
export const ledgerEntry = z.strictObject({
  id: ledgerEntryId,
  kind: z.enum(['answer', 'embedding', 'title']),
  generationId: generationId.nullable(),
  attempt: z.number().int(),
  conversationId: conversationId.nullable(),
  userId: userId.nullable(),
  model: z.string(),
  /** Which chatbot in which version; null in entries of before there were any. An embedding's has no version: 0. */
  chatbot: chatbotVersionRef.nullable(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** How many of the input tokens the model server had kept from before. */
  cachedTokens: z.number().int(),
  estimated: z.boolean(),
  /** `cut`: it reached a limit of the model or of a budget. Versions up to 0.3.0 wrote `failed` for it. */
  outcome: z.enum(['done', 'stopped', 'cut', 'failed', 'interrupted']),
  costMicros: z.number().int().nullable(),
  rateId: rateId.nullable(),
  /** Null where there is no rate. */
  currency: currency.nullable(),
  at: timestamp,
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

const outcome = ledgerEntry.shape.outcome;

/**
 * The usage ledger, newest first, from a time until before another one. At most one of `generationId`, `model`,
 * `chatbotId`, `userId` and `outcome`. `userId` and `name` are null for readers without `usage:read_person`, who can't
 * filter by person either (403); the name is null of former members.
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

/** So many attempts of one person and month are added up. */
export const mostUsageEntries = 10_000;

/** What one person has used of one model on one day. */
export const dayUsage = z.strictObject({
  /** In the asked time zone, as `2026-11-21`. */
  day: z.iso.date(),
  model: z.string(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  answers: z.number().int(),
  /** Of the attempts that had a price. */
  costMicros: z.number().int(),
  /** Attempts of models that had none: their cost is unknown. */
  unpricedAttempts: z.number().int(),
});
export type DayUsage = z.infer<typeof dayUsage>;

/**
 * One's own usage in this organisation in a month of the given time zone, by day and model, oldest first. `isCut`: there
 * is more than was added up, and it is the later part that is missing.
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
    /** Null before the first price. */
    currency: currency.nullable(),
  }),
});

/**
 * Returns what an organisation has spent today, in the time zone of its budgets; attempts without a price are those since
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
    /** Null where there are no prices yet. */
    currency: currency.nullable(),
  }),
});

/** What the attempts of one answer have used together. */
export const answerCost = z.strictObject({
  generationId,
  /** Null while one of them is unpriced. */
  costMicros: z.number().int().nullable(),
  currency: currency.nullable(),
  /** So much more than was held for it before the model was asked: the model did not keep to its limit. */
  excess: z.strictObject({ costMicros: z.number().int(), tokens: z.number().int() }).nullable(),
});
export type AnswerCost = z.infer<typeof answerCost>;

/** So many attempts are looked at, the newest. */
export const mostAnswerCosts = 200;

/** What my own answers in a conversation have cost, the newest; an answer is there a moment after it has ended. */
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
 * Publishes an entry of the ledger, once. Sums of these events are the sums of billing, except for titles, whose entries
 * aren't published. `parley republish --service billing` publishes all of them again.
 */
export const ledgerEntryAdded = defineEvent('ledger.entry-added.v1', 'billing', {
  data: z.object({
    orgId,
    entryId: ledgerEntryId,
    /** Absent of answers; of anything else that used tokens `embedding`, which is what readers of 0.2.0 know. */
    kind: z.literal('embedding').optional(),
    /** Where it is no answer: the host that was asked, and the chatbot for which, null where there was none. */
    host: z.string().optional(),
    chatbotId: chatbotId.nullable().optional(),
    /** Null of an embedding that nobody asked for. */
    userId: userId.nullable(),
    model: z.string(),
    inputTokens: z.number().int(),
    outputTokens: z.number().int(),
    /** Null is unpriced. */
    costMicros: z.number().int().nullable(),
    /** Null where there is no rate. */
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
