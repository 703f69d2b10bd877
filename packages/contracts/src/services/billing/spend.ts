import { defineRoute, pageOf, pageQuery, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, groupId } from '../../ids.ts';
import { timeZone } from '../../people.ts';
import { currency, rate } from './rates.ts';

/** Limits the rows that are added up for a month; each is the sum of one model on one day. */
export const mostSpendDays = 10_000;

/** A month. It begins in the budgets' time zone for money, and in UTC for answers and tokens. */
export const spendMonth = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'a month such as 2026-11');

const spent = {
  attempts: z.number().int(),
  /** Attempts of models without a price: their cost is unknown, and 0 in the sum. */
  unpricedAttempts: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Equals the spend that budgets count, because both add up days of the budgets' time zone. */
  costMicros: z.number().int(),
  /** The part of `costMicros` that earlier versions added up by days in UTC instead. */
  utcMicros: z.number().int(),
};
const read = { service: 'billing', scope: 'organisation', permission: 'billing:read' } as const;

/**
 * Returns the organisation's spend in a month: by day, oldest first; by model and by chatbot, highest first. The
 * currency is null before the first price. Spend from before there were chatbots is listed under no chatbot. `isCut`:
 * there were too many sums, and later ones are missing.
 */
export const getSpend = defineRoute({
  ...read,
  route: 'GET /api/billing/spend',
  cost: 'report',
  query: z.strictObject({ month: spendMonth }),
  response: z.strictObject({
    currency: currency.nullable(),
    /** The time zone of budgets and money. */
    timeZone,
    days: z.array(z.strictObject({ day: z.iso.date(), ...spent })),
    models: z.array(z.strictObject({ model: z.string(), ...spent })),
    chatbots: z.array(z.strictObject({ chatbotId, ...spent })),
    isCut: z.boolean(),
  }),
});

/**
 * A person's part of a month's spend. Readers with `usage:read_person` get id and name, null for former members; others
 * get the person's pseudonym of that month, as in user monitoring.
 */
export const spender = z.strictObject({
  userId: userId.nullable(),
  name: z.string().nullable(),
  pseudonym: z.string().nullable(),
  ...spent,
});

/**
 * Lists spend by person in a month, highest first. 403 also without `member:read`. `isHidden`: fewer than 5 people
 * spent something, so readers without `usage:read_person` get an empty list.
 */
export const listSpenders = defineRoute({
  ...read,
  route: 'GET /api/billing/spenders',
  cost: 'report',
  query: pageQuery.extend({ month: spendMonth }),
  response: pageOf(spender).extend({ isHidden: z.boolean() }),
});

/**
 * Lists spend by group in a month, highest first, for the present members; a member of two groups counts in both. 403
 * also without `group:read`. Groups of fewer than 5 members are left out without `usage:read_person`. `isCut`: there
 * were too many people to add up.
 */
export const listGroupSpend = defineRoute({
  ...read,
  route: 'GET /api/billing/group-spend',
  cost: 'report',
  query: z.strictObject({ month: spendMonth }),
  response: z.strictObject({
    items: z.array(z.strictObject({ id: groupId, name: z.string(), ...spent })),
    isCut: z.boolean(),
  }),
});

/**
 * Lists current and future prices by model, for every provider or for hosts that the organisation used this month or
 * last month.
 */
export const listPrices = defineRoute({
  ...read,
  route: 'GET /api/billing/prices',
  cost: 'read',
  query: pageQuery,
  response: pageOf(rate.omit({ by: true, endedBy: true, version: true })).extend({ currency: currency.nullable() }),
});

export const spendRoutes = { getSpend, listSpenders, listGroupSpend, listPrices };
