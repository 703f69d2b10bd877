import { budgetId, budgetPeriod, budgetScope, budgetUnit, reservationId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const count = z.number().int();

/** A budget with what is counted of it in its current period. */
const counted = z.strictObject({
  id: budgetId,
  scope: budgetScope,
  period: budgetPeriod,
  unit: budgetUnit,
  softLimit: count.nullable(),
  hardLimit: count.nullable(),
  version: count,
  spent: count,
  periodStart: z.iso.date(),
  /** The beginning of the period, or when the budget was set where that was later: what ended before is not counted. */
  countsFrom: z.date(),
  resetsAt: z.date(),
  /** The limits that were told to be reached in this period. */
  told: z.array(z.enum(['soft', 'hard'])),
});
export type CountedBudget = z.infer<typeof counted>;

/** The most that an attempt which is being written can still use, reserved under each of these budgets. */
const reservation = z.strictObject({
  /** `<generation>:<attempt>` */
  id: z.string(),
  costMicros: count,
  tokens: count,
  /** The limit of output that its model is given; absent in what 0.2.0 has written. */
  outputTokens: count.optional(),
  budgetIds: z.array(budgetId),
  leaseUntil: z.date(),
});
export type Reservation = z.infer<typeof reservation>;

/**
 * All budgets of one organisation with what is spent and reserved: one document, changed by compare-and-set, so that no two
 * answers get the same money. It also keeps the time zone of budgets and money. Organisations that never had a
 * budget or an entry of the ledger have none.
 */
export const budgetSheetRows = collection(
  'budget_sheets',
  {
    _id: orgId,
    orgId,
    timeZone: z.string(),
    revision: count,
    budgets: z.array(counted),
    reservations: z.array(reservation),
  },
  { tenant: { organisation: 'orgId' } },
);
export type BudgetSheet = RowOf<typeof budgetSheetRows>;

/** Records what happened to reservations, append only: those in the sheet follow from it. */
export const reservationRows = collection(
  'reservations',
  {
    _id: reservationId,
    orgId,
    reservationId: z.string(),
    kind: z.enum(['reserved', 'settled', 'released']),
    costMicros: count,
    tokens: count,
    budgetIds: z.array(budgetId),
    at: z.date(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, reservationId: 1 }] },
);
export type ReservationRow = RowOf<typeof reservationRows>;

/** One wish of one person in one period: `<organisation>/<budget>/<user>/<first day>` is the id. */
export const budgetRequestRows = collection(
  'budget_requests',
  {
    _id: z.string(),
    orgId,
    budgetId,
    userId,
    name: z.string(),
    amount: count,
    periodStart: z.iso.date(),
    at: z.date(),
    dismissedAt: z.date().nullable(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, budgetId: 1, userId: 1 },
      { orgId: 1, dismissedAt: 1, at: 1 },
    ],
  },
);
export type BudgetRequestRow = RowOf<typeof budgetRequestRows>;
