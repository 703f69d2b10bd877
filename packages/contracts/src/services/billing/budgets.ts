import { defineRoute, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { budgetId, chatbotId, groupId } from '../../ids.ts';
import { plainName } from '../../plain-text.ts';
import { currency } from './rates.ts';
import { modelKey } from '../chat/assistants/models.ts';

/**
 * Limits a budget to a thousand million units of the currency (in micro-units), or to the same number of tokens, so
 * that sums stay exact.
 */
export const highestLimit = 1_000_000_000_000_000;

/**
 * Says whose usage counts: everybody's, a group's, a person's, that of a model or of a chatbot. A chatbot keeps the
 * name that it had when the budget was set; the name is empty for readers without access.
 */
export const budgetScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('organisation') }),
  z.strictObject({ kind: z.literal('group'), id: groupId }),
  z.strictObject({ kind: z.literal('person'), id: userId }),
  z.strictObject({ kind: z.literal('model'), id: modelKey }),
  z.strictObject({ kind: z.literal('chatbot'), id: chatbotId, name: plainName(60).or(z.literal('')) }),
]);
export type BudgetScope = z.infer<typeof budgetScope>;

/**
 * Describes one use of tokens. The chatbot is null if no chatbot is asked; the person is null if passages of the
 * organisation's documents are embedded.
 */
export type BudgetUse = {
  readonly userId: string | null;
  readonly groupIds: readonly string[];
  readonly model: string;
  readonly chatbotId: string | null;
};

/** Returns whether a use of tokens counts towards a budget of this scope. */
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

/** Weeks begin on Monday. Periods begin at the start of a day in the organisation's time zone. */
export const budgetPeriod = z.enum(['day', 'week', 'month']);
export type BudgetPeriod = z.infer<typeof budgetPeriod>;
/**
 * The unit of a budget: money in micro-units of the installation's currency, or tokens of input and output together.
 */
export const budgetUnit = z.enum(['money', 'tokens']);
export type BudgetUnit = z.infer<typeof budgetUnit>;

const limit = z.number().int().min(1).max(highestLimit);
/**
 * The soft limit warns, and at the hard limit no answer begins. At least one limit is set; the soft limit isn't higher.
 */
export const budgetLimits = { softLimit: limit.nullable(), hardLimit: limit.nullable() };
type Limits = { readonly softLimit: number | null; readonly hardLimit: number | null };
const hasLimit = ({ softLimit, hardLimit }: Limits): boolean => softLimit !== null || hardLimit !== null;
const isOrdered = ({ softLimit, hardLimit }: Limits): boolean =>
  softLimit === null || hardLimit === null || softLimit <= hardLimit;

/** Since `countsFrom`. */
const spent = z.number().int();
/** Reserved for running answers: the most that they can still use. Counted only under a hard limit. */
const held = z.number().int();
const figures = {
  /**
   * `spent` and `held` are null if the reader can't see them: usage of a person, or of a group of fewer than 5 people,
   * needs `usage:read_person`.
   */
  spent: spent.nullable(),
  held: held.nullable(),
  /** The first day of the period, in the organisation's time zone. */
  periodStart: z.iso.date(),
  /** When counting began: at the start of the period, or when the budget was set. Missing in responses of 0.2.0. */
  countsFrom: timestamp.optional(),
  /** When the counted usage resets to zero. */
  resetsAt: timestamp,
};

/** A budget: the limit of a period, and the part of it that is used. */
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
/** A budget as seen by people who can see its amounts. */
export type KnownBudget = Budget & { readonly spent: number; readonly held: number };

/** A request by a person whose answers were refused: for `amount` more in this period. */
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
 * Lists all budgets, oldest first, with people's requests of this period (the oldest 200). The currency is null before
 * the first price. `people` names people with budgets of their own, if they are members and the reader has
 * `member:read`.
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
 * Creates a budget that counts from now on, or from the start of the period (`startsWithSpent`). It then begins with
 * the ledger's sum; for a group, with that of its present members. Idempotent by id. `billing.budget-exists` for the
 * same scope, period and unit; `billing.no-prices` for money without any price.
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
 * Changes a budget immediately. Answers that it refused are then asked again. A lower hard limit ends no running
 * answer. A higher one settles people's requests.
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

/** Deletes a budget and the usage that it has counted. */
export const deleteBudget = defineRoute({
  ...manage,
  route: 'DELETE /api/billing/budgets/:budgetId',
  cost: 'write',
  status: 204,
  params: oneBudget,
});

/** Counts waiting requests in the current periods of their budgets, up to 100, for people who can answer them. */
export const countBudgetRequests = defineRoute({
  ...manage,
  route: 'GET /api/billing/budget-request-count',
  cost: 'read',
  response: z.strictObject({ waiting: z.number().int().min(0).max(100) }),
});

/**
 * Dismisses a request. The person who asked isn't notified, and asking again in this period changes nothing.
 * Idempotent.
 */
export const dismissBudgetRequest = defineRoute({
  ...manage,
  route: 'DELETE /api/billing/budgets/:budgetId/requests/:userId',
  cost: 'write',
  status: 204,
  params: z.strictObject({ budgetId, userId }),
});

/** How far a budget is used, without amounts. */
const budgetShare = z.strictObject({
  /**
   * Spent and reserved amounts together, as a percentage of the hard limit, or of the soft limit without a hard one.
   * 100 only if nothing is left.
   */
  usedPercent: z.number().int().min(0).max(100),
  /** True if the budget has a hard limit, at which answers stop. */
  stops: z.boolean(),
  /** True if the budget's soft limit was reached in this period. */
  isWarned: z.boolean(),
  /** True if the budget's hard limit was reached in this period, or refused an answer. */
  isUsedUp: z.boolean(),
});
const myBudget = budget.extend({
  hasAsked: z.boolean(),
  /** Missing in responses of 0.2.0. */
  share: budgetShare.optional(),
});

/**
 * Lists the budgets that count the person's own usage, including those of models and chatbots for the people who ask
 * them. Those with a hard limit come first, led by the one that would stop answers first. Money and tokens are compared by
 * the average price of a token in the last 31 days. Amounts are shown for the person's own budget; others are null
 * without `budget:read`. `raisers`: names of at most ten people who can raise used-up budgets. `hasAsked`: the person
 * asked for more in this period.
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
 * Asks the people who can raise a budget for more; without an amount, for two fifths of its limit. Once in a period:
 * repeated, it returns the first request. The amount is null if the person can't see the limit.
 * `billing.budget-not-found` if the budget doesn't count the person's usage.
 */
export const askForBudget = defineRoute({
  ...own,
  route: 'POST /api/billing/budget-requests',
  cost: 'outbound',
  status: 201,
  body: z.strictObject({ budgetId, amount: limit.optional() }),
  response: budgetRequest.extend({ amount: z.number().int().nullable() }),
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
