import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invoiceId, orderId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { plainName } from '../../plain-text.ts';
import { currency } from './rates.ts';

/** The most seats of one order. A seat costs at most a million a month in a currency with cents. */
export const mostOrderedSeats = 10_000;
export const mostOrderedMonths = 36;
export const highestSeatMinor = 100_000_000;
/** Limits the waiting orders of an organisation. */
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

/** The seller on invoices. `payment` says how to pay, for example to which bank account. */
export const seller = z.strictObject({ name: plainName(120), address: addressLines, taxNumber, payment: addressLines });
export type Seller = z.infer<typeof seller>;
export const buyer = z.strictObject({ name: plainName(120), address: addressLines, taxNumber });
export type Buyer = z.infer<typeof buyer>;

/** The price of seats and the seller. Without a price nobody can order. */
export const salesTerms = z.strictObject({
  currency,
  /** The price of one seat for one month. Null: seats are not sold. */
  seatMinor: seatMinor.nullable(),
  seller,
  /** Days from an invoice until payment is due. */
  dueDays: z.number().int().min(0).max(90),
  version,
});
export type SalesTerms = z.infer<typeof salesTerms>;

const platform = { service: 'billing', scope: 'platform' } as const;
const org = { service: 'billing', scope: 'organisation' } as const;
const oneOrder = z.strictObject({ orderId });

/** Returns the terms; null if nobody has set them. `currency` is that of model prices, null before the first one. */
export const getSalesTerms = defineRoute({
  ...platform,
  route: 'GET /api/billing/sales-terms',
  cost: 'read',
  response: z.strictObject({ terms: salesTerms.nullable(), currency: currency.nullable() }),
});

/**
 * Changes the terms for future orders. Version 0 sets the first ones; `platform.conflict` if the version is old;
 * `billing.other-currency` if the currency isn't that of the installation's prices.
 */
export const changeSalesTerms = defineRoute({
  ...platform,
  route: 'PUT /api/billing/sales-terms',
  cost: 'write',
  body: salesTerms,
  response: salesTerms,
});

/** `placed` waits for a platform admin to confirm or refuse it. Until then its organisation can withdraw it. */
export const orderState = z.enum(['placed', 'confirmed', 'refused', 'withdrawn']);
export type OrderState = z.infer<typeof orderState>;

/** An order of seats for some months, at the price on the day of the order. */
export const order = z.strictObject({
  id: orderId,
  orgId,
  /** The organisation's name at that time. */
  organisation: z.string(),
  seats: z.number().int(),
  months: z.number().int(),
  seatMinor: minor,
  totalMinor: minor,
  currency,
  buyer,
  /** The buyer's own reference, printed on the invoice. */
  reference: z.string().nullable(),
  state: orderState,
  placedBy: person,
  placedAt: timestamp,
  decidedBy: person.nullable(),
  decidedAt: timestamp.nullable(),
  /** Why the order was refused; null unless it was. */
  refusal: z.string().nullable(),
  /** The limit of seats before and after it was raised; null is no limit. */
  raised: z
    .strictObject({ before: z.number().int().nullable(), after: z.number().int().nullable(), at: timestamp })
    .nullable(),
  invoice: z.strictObject({ id: invoiceId, number: z.string(), dueOn: z.iso.date() }).nullable(),
  version,
});
export type Order = z.infer<typeof order>;

/** Returns what can be ordered, and the number of seats. `limit` null: no limit, so no seats are needed. */
export const getSeatOffer = defineRoute({
  ...org,
  permission: 'billing:read',
  cost: 'read',
  route: 'GET /api/billing/seat-offer',
  response: z.strictObject({
    /** Null if seats are not sold. */
    price: z.strictObject({ seatMinor: minor, currency }).nullable(),
    seller: z.string().nullable(),
    seats: z.strictObject({ used: z.number().int(), limit: z.number().int().nullable() }),
    /** The buyer of the organisation's last order. */
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
 * Orders seats at the price that the buyer saw. 409 `billing.price-changed` (`current` has the new price),
 * `billing.seats-not-sold`, `billing.no-seat-limit`, `billing.orders-waiting` (ten wait already). Idempotent by id.
 */
export const placeOrder = defineRoute({
  ...org,
  permission: 'billing:manage',
  cost: 'write',
  route: 'POST /api/billing/orders',
  status: 201,
  body: z.strictObject({ id: orderId, seats, months, seatMinor, currency, buyer, reference: plainName(60).nullable() }),
  /** The page where the buyer pays; null: the order waits for its confirmation. */
  response: z.strictObject({ order, continueAt: z.url().nullable() }),
});

/** Withdraws a waiting order; `platform.conflict` if it was decided. Idempotent. */
export const withdrawOrder = defineRoute({
  ...org,
  permission: 'billing:manage',
  cost: 'write',
  route: 'PUT /api/billing/orders/:orderId/withdrawal',
  params: oneOrder,
  response: order,
});

/** Lists orders of all organisations, newest first. */
export const listAllOrders = defineRoute({
  ...platform,
  route: 'GET /api/billing/all-orders',
  cost: 'report',
  query: pageQuery.extend({ state: orderState.optional() }),
  response: pageOf(order),
});

/**
 * Confirms or refuses an order. Confirming writes the invoice and raises the limit of seats, each once.
 * `platform.conflict` with the order if it was decided or withdrawn meanwhile.
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

/** An order was placed, decided or withdrawn, or its seats were added. */
export const orderChanged = defineEvent('order.changed.v1', 'billing', {
  data: z.object({
    orgId,
    orderId,
    change: z.enum(['placed', 'confirmed', 'refused', 'withdrawn', 'seats-raised']),
    /** The act for the audit log; missing if no person acted, and in events of earlier versions. */
    act: z
      .object({
        by: userId,
        seats: z.number().int(),
        months: z.number().int(),
        totalMinor: minor,
        currency,
        /** Why the order was refused; null unless it was. */
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
/** A platform admin confirmed an order. The organisation gets its seats. */
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
