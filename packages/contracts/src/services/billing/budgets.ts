import { defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { budgetId, chatbotId, groupId } from '../../ids.ts';
import { plainName } from '../../plain-text.ts';
import { currency } from './rates.ts';
import { modelKey } from '../chat/assistants/models.ts';

/** A thousand million of the currency, or as many tokens: sums of it stay exact. */
export const highestLimit = 1_000_000_000_000_000;

/**
 * Whose use is counted: everybody's, that of a group's people, of one person, or what one model or one chatbot is asked. A
 * chatbot goes by the name that it had when the budget was set; that is empty for readers who may not know it.
 */
export const budgetScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organisation') }),
  z.strictObject({ kind: z.literal('group'), id: groupId }),
  z.strictObject({ kind: z.literal('person'), id: userId }),
  z.strictObject({ kind: z.literal('model'), id: modelKey }),
  z.strictObject({ kind: z.literal('chatbot'), id: chatbotId, name: plainName(60).or(z.literal('')) }),
]);
export type BudgetScope = z.infer<typeof budgetScope>;

/** Who uses what; the chatbot is null where none is asked, the person where the organisation's passages get their vectors. */
export type BudgetUse = {
  readonly userId: string | null;
  readonly groupIds: readonly string[];
  readonly model: string;
  readonly chatbotId: string | null;
};

/** Whether what is used so counts towards a budget of this scope. */
export function isCountedBy(scope: BudgetScope, { userId, groupIds, model, chatbotId }: BudgetUse): boolean {
  switch (scope.kind) {
    case 'organisation':
      return true;
    case 'group':
      return groupIds.includes(scope.id);
    case 'person':
      return scope.id === userId;
    case 'model':
      return scope.id === model;
    case 'chatbot':
      return scope.id === chatbotId;
  }
}

/** Weeks begin on Monday; all begin at the first moment of a day in the organisation's time zone. */
export const budgetPeriod = z.enum(['day', 'week', 'month']);
export type BudgetPeriod = z.infer<typeof budgetPeriod>;
/** Micro-units of the installation's currency, or tokens of input and output together. */
export const budgetUnit = z.enum(['money', 'tokens']);
export type BudgetUnit = z.infer<typeof budgetUnit>;

const limit = z.number().int().min(1).max(highestLimit);
/** At the soft limit people are warned, at the hard one no answer begins. At least one; the soft one is not higher. */
export const budgetLimits = { softLimit: limit.nullable(), hardLimit: limit.nullable() };
type Limits = { readonly softLimit: number | null; readonly hardLimit: number | null };
const hasLimit = ({ softLimit, hardLimit }: Limits): boolean => softLimit !== null || hardLimit !== null;
const isOrdered = ({ softLimit, hardLimit }: Limits): boolean =>
  softLimit === null || hardLimit === null || softLimit <= hardLimit;

/** Since `countsFrom`. */
const spent = z.number().int();
/** By answers that are being written: the most that they can still use. Only under a hard limit. */
const held = z.number().int();
const figures = {
  /**
   * Both null where the reader may not know them: what a person, or a group of fewer than 5 people, has used is for
   * readers with `usage:read_person` only.
   */
  spent: spent.nullable(),
  held: held.nullable(),
  /** The first day of the period, in the organisation's time zone. */
  periodStart: z.iso.date(),
  /** Since when it counts: the beginning of the period, or when it was set. Absent in answers of 0.2.0. */
  countsFrom: timestamp.optional(),
  /** When it starts again from nothing. */
  resetsAt: timestamp,
};

/** How much of something may be used in a period, and how much is. */
export const budget = z.strictObject({
  id: budgetId,
  scope: budgetScope,
  period: budgetPeriod,
  unit: budgetUnit,
  softLimit: z.number().int().nullable(),
  hardLimit: z.number().int().nullable(),
  ...figures,
  version: z.number().int(),
});
export type Budget = z.infer<typeof budget>;
/** As readers see it who may know its amounts. */
export type KnownBudget = Budget & { readonly spent: number; readonly held: number };

/** Somebody whose answers were refused wants so much more in this period. */
export const budgetRequest = z.strictObject({
  budgetId,
  userId,
  name: z.string(),
  amount: z.number().int(),
  at: timestamp,
});
export type BudgetRequest = z.infer<typeof budgetRequest>;

const organisation = { service: 'billing', scope: 'organisation' } as const;
const manage = { ...organisation, permission: 'budget:manage' } as const;
const own = { ...organisation, permission: 'usage:read_own' } as const;
const oneBudget = z.strictObject({ budgetId });

/**
 * All of them, the oldest first, with what people ask for in this period (the oldest 200); the currency is null before the first price.
 * `people` names those who have a budget of their own, as far as they are members and the reader may know (`member:read`).
 */
export const listBudgets = defineRoute({
  ...organisation,
  permission: 'budget:read',
  cost: 'read',
  route: 'GET /api/billing/budgets',
  response: z.strictObject({
    items: z.array(budget),
    requests: z.array(budgetRequest),
    people: z.array(z.strictObject({ userId, name: z.string() })),
    currency: currency.nullable(),
    timeZone: z.string(),
  }),
});

/**
 * Counts from now on, or from the beginning of the period (`startsWithSpent`): then it begins with what the ledger has of
 * it, for a group of those who are in it now. Repeating it with the same id returns what was made; another one of the same scope, period and
 * unit is `billing.budget-exists`. Money without any price is `billing.no-prices`.
 */
export const createBudget = defineRoute({
  ...manage,
  route: 'POST /api/billing/budgets',
  cost: 'write',
  status: 201,
  body: z
    .strictObject({
      id: budgetId,
      scope: budgetScope,
      period: budgetPeriod,
      unit: budgetUnit,
      ...budgetLimits,
      startsWithSpent: z.boolean().optional(),
    })
    .refine(hasLimit, 'has no limit')
    .refine(isOrdered, 'warns above the hard limit'),
  response: budget,
});

/**
 * Counts at once, also for answers that were refused: they are asked again. A lower hard limit ends no answer that is
 * being written. What people have asked for of it is settled by a higher one.
 */
export const changeBudget = defineRoute({
  ...manage,
  route: 'PUT /api/billing/budgets/:budgetId',
  cost: 'write',
  params: oneBudget,
  body: z
    .strictObject({ version: z.number().int(), ...budgetLimits })
    .refine(hasLimit, 'has no limit')
    .refine(isOrdered, 'warns above the hard limit'),
  response: budget,
});

/** Nothing is bounded by it any more, and what it has counted is forgotten. */
export const deleteBudget = defineRoute({
  ...manage,
  route: 'DELETE /api/billing/budgets/:budgetId',
  cost: 'write',
  status: 204,
  params: oneBudget,
});

/** Counts the requests that wait in the current periods of their budgets, up to 100: for people who can answer them. */
export const countBudgetRequests = defineRoute({
  ...manage,
  route: 'GET /api/billing/budget-request-count',
  cost: 'read',
  response: z.strictObject({ waiting: z.number().int().min(0).max(100) }),
});

/** The person sees no answer to it; asking again in the same period changes nothing. Repeating it is harmless. */
export const dismissBudgetRequest = defineRoute({
  ...manage,
  route: 'DELETE /api/billing/budgets/:budgetId/requests/:userId',
  cost: 'write',
  status: 204,
  params: z.strictObject({ budgetId, userId }),
});

/** How far a budget is, without an amount. */
const budgetShare = z.strictObject({
  /** Spent and held, of the hard limit or else of the soft one; 100 only where nothing is left. */
  usedPercent: z.number().int().min(0).max(100),
  /** It has a hard limit. */
  stops: z.boolean(),
  /** Its soft limit was reached in this period. */
  isWarned: z.boolean(),
  /** Its hard limit was reached in this period, or refused an answer. */
  isUsedUp: z.boolean(),
});
const myBudget = budget.extend({
  hasAsked: z.boolean(),
  /** Absent in answers of 0.2.0. */
  share: budgetShare.optional(),
});

/**
 * The budgets that count what I use, those of models and chatbots for whoever asks them: first those with a hard limit, the
 * one that stops answers first at their head; money and tokens are compared by what a token has cost in the last 31 days.
 * Amounts are of my own budget; those of others, limits too, are null without `budget:read`. `raisers`: who may raise them, by name, ten
 * at most, once one of them is used up; `hasAsked`: I have asked for more of it in this period.
 */
export const listMyBudgets = defineRoute({
  ...own,
  route: 'GET /api/billing/my-budgets',
  cost: 'read',
  response: z.strictObject({
    items: z.array(myBudget),
    currency: currency.nullable(),
    timeZone: z.string(),
    raisers: z.array(z.string()),
  }),
});
export type MyBudget = z.infer<typeof myBudget>;

/**
 * Asks those who may raise it for so much more, or without an amount for two fifths of its limit, once in a period:
 * repeating it, also with another amount, returns what was asked for. The amount is null where I may not know the limit. A budget that does not count what I use is `billing.budget-not-found`.
 */
export const askForBudget = defineRoute({
  ...own,
  route: 'POST /api/billing/budget-requests',
  cost: 'outbound',
  status: 201,
  body: z.strictObject({ budgetId, amount: limit.optional() }),
  response: budgetRequest.extend({ amount: z.number().int().nullable() }),
});

/**
 * Returns who has budgets of their own, and how much of the one that is used most is spent or held, in percent. Unused
 * from 0.2.0 on: kept for processes of 0.1.1 beside it.
 */
export const listPersonBudgets = defineRoute({
  service: 'billing',
  route: 'GET /internal/billing/organisations/:orgId/person-budgets',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  response: z.strictObject({ items: z.array(z.strictObject({ userId, percent: z.number().int() })) }),
});

export const budgetRoutes = {
  listBudgets,
  createBudget,
  changeBudget,
  deleteBudget,
  countBudgetRequests,
  dismissBudgetRequest,
  listMyBudgets,
  askForBudget,
};
