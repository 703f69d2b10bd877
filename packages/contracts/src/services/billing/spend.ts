import { defineRoute, pageOf, pageQuery, userId } from '@parley/protocol';
import { z } from 'zod';
import { chatbotId, groupId } from '../../ids.ts';
import { timeZone } from '../../people.ts';
import { currency, rate } from './rates.ts';

/** So many sums of days and models are added up for one month. */
export const mostSpendDays = 10_000;

/** Begins in the budgets' time zone for money, and in UTC for answers and tokens. */
export const spendMonth = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/, 'a month such as 2026-11');

const spent = {
  attempts: z.number().int(),
  /** Of them those of models that had no price: their cost is unknown, and 0 in the sum. */
  unpricedAttempts: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  /** Equals what budgets count: it is added up by days of their time zone. */
  costMicros: z.number().int(),
  /** The part of `costMicros` that earlier versions added up by days in UTC. */
  utcMicros: z.number().int(),
};
const read = { service: 'billing', scope: 'organisation', permission: 'billing:read' } as const;

/**
 * Returns what the organisation has spent in a month: by day, oldest first, by model and by chatbot, the dearest first. The
 * currency is null before the first price. What was spent before there were chatbots is by none of them. `isCut`: there is more than was added up, and it is the later part that is missing.
 */
export const getSpend = defineRoute({
  ...read,
  route: 'GET /api/billing/spend',
  cost: 'report',
  query: z.strictObject({ month: spendMonth }),
  response: z.strictObject({
    currency: currency.nullable(),
    /** Names the time zone of budgets and money. */
    timeZone,
    days: z.array(z.strictObject({ day: z.iso.date(), ...spent })),
    models: z.array(z.strictObject({ model: z.string(), ...spent })),
    chatbots: z.array(z.strictObject({ chatbotId, ...spent })),
    isCut: z.boolean(),
  }),
});

/**
 * A person's part of a month. Readers with `usage:read_person` get id and name, null of former members; others get the
 * person's pseudonym of that month, as user monitoring shows it.
 */
export const spender = z.strictObject({
  userId: userId.nullable(),
  name: z.string().nullable(),
  pseudonym: z.string().nullable(),
  ...spent,
});

/**
 * Lists who has spent what in a month, the most first. 403 without `member:read`, too. `isHidden`: fewer than 5 people
 * have spent, so readers without `usage:read_person` see nobody.
 */
export const listSpenders = defineRoute({
  ...read,
  route: 'GET /api/billing/spenders',
  cost: 'report',
  query: pageQuery.extend({ month: spendMonth }),
  response: pageOf(spender).extend({ isHidden: z.boolean() }),
});

/**
 * Lists what the members of each group have spent in a month, the most first: by who is in it now, so a member of two
 * counts in both. 403 without `group:read`, too. Groups of fewer than 5 members are left out for readers without
 * `usage:read_person`. `isCut`: more people have spent than were added up.
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
 * The prices that hold now or will, for every provider or for a host that the organisation has asked in this month or
 * the last one; by model.
 */
export const listPrices = defineRoute({
  ...read,
  route: 'GET /api/billing/prices',
  cost: 'read',
  query: pageQuery,
  response: pageOf(rate.omit({ by: true, endedBy: true, version: true })).extend({ currency: currency.nullable() }),
});

export const spendRoutes = { getSpend, listSpenders, listGroupSpend, listPrices };
