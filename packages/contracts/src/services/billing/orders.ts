import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invoiceId, orderId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { plainName } from '../../plain-text.ts';
import { currency } from './rates.ts';

/** What one order can be of at most; a seat for a month costs at most a million of a currency with cents. */
export const mostOrderedSeats = 10_000;
export const mostOrderedMonths = 36;
export const highestSeatMinor = 100_000_000;
/** So many orders of one organisation wait at a time. */
export const mostWaitingOrders = 10;

/** Integer minor units of the currency, such as cents. */
const minor = z.number().int();
const seatMinor = minor.min(1).max(highestSeatMinor);
const seats = z.number().int().min(1).max(mostOrderedSeats);
const months = z.number().int().min(1).max(mostOrderedMonths);
const version = z.number().int();
const person = z.strictObject({ userId, name: z.string() });
const addressLines = z.array(plainName(120)).min(1).max(6);
const taxNumber = plainName(40).nullable();

/** Whose name stands on invoices; `payment` says how to pay, a bank account for example. */
export const seller = z.strictObject({ name: plainName(120), address: addressLines, taxNumber, payment: addressLines });
export type Seller = z.infer<typeof seller>;
export const buyer = z.strictObject({ name: plainName(120), address: addressLines, taxNumber });
export type Buyer = z.infer<typeof buyer>;

/** What seats cost and who sells them; without a price nobody can order any. */
export const salesTerms = z.strictObject({
  currency,
  /** Of one seat for a month. Null: seats are not sold. */
  seatMinor: seatMinor.nullable(),
  seller,
  /** Days from an invoice to its last day of payment. */
  dueDays: z.number().int().min(0).max(90),
  version,
});
export type SalesTerms = z.infer<typeof salesTerms>;

const platform = { service: 'billing', scope: 'platform' } as const;
const org = { service: 'billing', scope: 'organisation' } as const;
const oneOrder = z.strictObject({ orderId });

/** Null before anybody has set them. `currency` is that of the prices of models; null before the first one. */
export const getSalesTerms = defineRoute({
  ...platform,
  route: 'GET /api/billing/sales-terms',
  cost: 'read',
  response: z.strictObject({ terms: salesTerms.nullable(), currency: currency.nullable() }),
});

/**
 * Holds for orders from now on. The first ones have version 0; a version that is not the current one is
 * `platform.conflict`. Another currency than that of the installation's prices is `billing.other-currency`.
 */
export const changeSalesTerms = defineRoute({
  ...platform,
  route: 'PUT /api/billing/sales-terms',
  cost: 'write',
  body: salesTerms,
  response: salesTerms,
});

/** `placed` waits for a platform admin, who confirms or refuses it; until then its organisation may withdraw it. */
export const orderState = z.enum(['placed', 'confirmed', 'refused', 'withdrawn']);
export type OrderState = z.infer<typeof orderState>;

/** Seats for some months, at the price of the day on which they were ordered. */
export const order = z.strictObject({
  id: orderId,
  orgId,
  /** The name that the organisation had. */
  organisation: z.string(),
  seats: z.number().int(),
  months: z.number().int(),
  seatMinor: minor,
  totalMinor: minor,
  currency,
  buyer,
  /** The buyer's own, printed on the invoice. */
  reference: z.string().nullable(),
  state: orderState,
  placedBy: person,
  placedAt: timestamp,
  decidedBy: person.nullable(),
  decidedAt: timestamp.nullable(),
  /** Why it was refused. */
  refusal: z.string().nullable(),
  /** The limit of seats before and after, once it was raised; null is none. */
  raised: z
    .strictObject({ before: z.number().int().nullable(), after: z.number().int().nullable(), at: timestamp })
    .nullable(),
  invoice: z.strictObject({ id: invoiceId, number: z.string(), dueOn: z.iso.date() }).nullable(),
  version,
});
export type Order = z.infer<typeof order>;

/** What can be ordered now, and how many seats there are: `limit` null is no limit, with which nobody needs more. */
export const getSeatOffer = defineRoute({
  ...org,
  permission: 'billing:read',
  cost: 'read',
  route: 'GET /api/billing/seat-offer',
  response: z.strictObject({
    /** Null while seats are not sold. */
    price: z.strictObject({ seatMinor: minor, currency }).nullable(),
    seller: z.string().nullable(),
    seats: z.strictObject({ used: z.number().int(), limit: z.number().int().nullable() }),
    /** As in the last order. */
    buyer: buyer.nullable(),
  }),
});

/** Newest first. */
export const listOrders = defineRoute({
  ...org,
  permission: 'billing:read',
  cost: 'read',
  route: 'GET /api/billing/orders',
  query: pageQuery,
  response: pageOf(order),
});
/** 404 `billing.order-not-found`. */
export const getOrder = defineRoute({
  ...org,
  permission: 'billing:read',
  cost: 'read',
  route: 'GET /api/billing/orders/:orderId',
  params: oneOrder,
  response: order,
});

/**
 * Orders seats at the price that was seen; another one meanwhile is `billing.price-changed`, with the present one as
 * `current`. 409 `billing.seats-not-sold`, `billing.no-seat-limit`, `billing.orders-waiting` (ten wait already).
 * Repeating it with the same id returns what was made.
 */
export const placeOrder = defineRoute({
  ...org,
  permission: 'billing:manage',
  cost: 'write',
  route: 'POST /api/billing/orders',
  status: 201,
  body: z.strictObject({ id: orderId, seats, months, seatMinor, currency, buyer, reference: plainName(60).nullable() }),
  /** Where the buyer goes to pay; null: nowhere, the order waits to be confirmed. */
  response: z.strictObject({ order, continueAt: z.url().nullable() }),
});

/** Only while it waits; one that was decided is `platform.conflict`. Repeating it is harmless. */
export const withdrawOrder = defineRoute({
  ...org,
  permission: 'billing:manage',
  cost: 'write',
  route: 'PUT /api/billing/orders/:orderId/withdrawal',
  params: oneOrder,
  response: order,
});

/** Those of all organisations, newest first. */
export const listAllOrders = defineRoute({
  ...platform,
  route: 'GET /api/billing/all-orders',
  cost: 'report',
  query: pageQuery.extend({ state: orderState.optional() }),
  response: pageOf(order),
});

/**
 * Confirming writes the invoice and raises the organisation's limit of seats, each once. What was decided or withdrawn
 * meanwhile is `platform.conflict` with the order as it is.
 */
export const decideOrder = defineRoute({
  ...platform,
  route: 'PUT /api/billing/all-orders/:orderId/decision',
  cost: 'write',
  params: oneOrder,
  body: z.discriminatedUnion('decision', [
    z.strictObject({ version, decision: z.literal('confirmed') }),
    z.strictObject({ version, decision: z.literal('refused'), reason: plainName(300) }),
  ]),
  response: order,
});

/** Placed, decided, withdrawn, or its seats are there. */
export const orderChanged = defineEvent('order.changed.v1', 'billing', {
  data: z.object({
    orgId,
    orderId,
    change: z.enum(['placed', 'confirmed', 'refused', 'withdrawn', 'seats-raised']),
    /** What somebody did, for the audit log; absent where nobody did, and in what earlier versions told. */
    act: z
      .object({
        by: userId,
        seats: z.number().int(),
        months: z.number().int(),
        totalMinor: minor,
        currency,
        /** Why it was refused. */
        reason: z.string().nullable(),
      })
      .optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'billing:read', resources: ['orders', 'invoices', 'seat-offer'] },
  audit: ({ orderId: id, change, act }) => {
    if (!act || change === 'seats-raised') return null;
    const { by, reason, seats, months, totalMinor, currency } = act;
    const { count, money } = auditValues;
    const ordered = { seats: count(seats), months: count(months), amount: money(totalMinor, currency) };
    const isOver = change === 'withdrawn' || change === 'refused';
    const changes = isOver ? changesBetween(ordered, null) : changesBetween(null, ordered);
    return { act: `order.${change}`, by, target: { of: 'order', id, name: null }, changes, reason };
  },
  outside: ['orderId', 'change'],
});
/** The organisation gets so many seats more, by a platform admin's decision. */
export const orderConfirmed = defineEvent('order.confirmed.v1', 'billing', {
  data: z.object({ orgId, orderId, seats: z.number().int().positive(), by: userId }),
  key: 'orgId',
  identity: ['orderId'],
  live: null,
  audit: 'order.changed says it.',
});

export const orderRoutes = {
  getSalesTerms,
  changeSalesTerms,
  getSeatOffer,
  listOrders,
  getOrder,
  placeOrder,
  withdrawOrder,
  listAllOrders,
  decideOrder,
};
