import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invoiceId, orderId, paymentId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { plainName } from '../../plain-text.ts';
import { buyer, seller } from './orders.ts';
import { currency } from './rates.ts';

/** Integer minor units of the currency, such as cents. */
const minor = z.number().int();
/** The highest payment: ten thousand million units of a currency with cents. */
export const highestPaymentMinor = 1_000_000_000_000;
/** Limits the payments of one invoice. */
export const mostPayments = 100;

/** A payment as a platform admin recorded it. */
export const payment = z.strictObject({
  id: paymentId,
  amountMinor: minor,
  receivedOn: z.iso.date(),
  reference: z.string().nullable(),
  by: z.strictObject({ userId, name: z.string() }),
  at: timestamp,
});
export type Payment = z.infer<typeof payment>;

/**
 * An invoice. Numbers have no gaps within a year (UTC). It never changes: names and addresses are those of its day. A
 * payment beyond the total is the organisation's credit.
 */
export const invoice = z.strictObject({
  id: invoiceId,
  /** `2026-0031`. */
  number: z.string(),
  orgId,
  orderId,
  issuedOn: z.iso.date(),
  dueOn: z.iso.date(),
  currency,
  seller,
  buyer,
  reference: z.string().nullable(),
  lines: z.array(
    z.strictObject({
      seats: z.number().int(),
      months: z.number().int(),
      seatMinor: minor,
      /** First and last day, in the organisation's time zone. */
      from: z.iso.date(),
      until: z.iso.date(),
      amountMinor: minor,
    }),
  ),
  totalMinor: minor,
  paidMinor: minor,
  payments: z.array(payment),
  version: z.number().int(),
});
export type Invoice = z.infer<typeof invoice>;

const org = { service: 'billing', scope: 'organisation', permission: 'billing:read' } as const;
const platform = { service: 'billing', scope: 'platform' } as const;
const oneInvoice = z.strictObject({ invoiceId });

/** Newest first. */
export const listInvoices = defineRoute({
  ...org,
  route: 'GET /api/billing/invoices',
  cost: 'read',
  query: pageQuery,
  response: pageOf(invoice),
});
/** 404 `billing.invoice-not-found`. */
export const getInvoice = defineRoute({
  ...org,
  route: 'GET /api/billing/invoices/:invoiceId',
  cost: 'read',
  params: oneInvoice,
  response: invoice,
});

/** Lists invoices of all organisations, newest first. */
export const listAllInvoices = defineRoute({
  ...platform,
  route: 'GET /api/billing/all-invoices',
  cost: 'report',
  query: pageQuery.extend({ state: z.enum(['open', 'paid']).optional() }),
  response: pageOf(invoice),
});

/**
 * Records a payment: a part, all, or more than is open; not in the future. `platform.conflict` if the version is old,
 * so that two admins don't record the same payment. Idempotent by id.
 */
export const recordPayment = defineRoute({
  ...platform,
  route: 'POST /api/billing/all-invoices/:invoiceId/payments',
  cost: 'write',
  status: 201,
  params: oneInvoice,
  body: z.strictObject({
    id: paymentId,
    version: z.number().int(),
    amountMinor: minor.min(1).max(highestPaymentMinor),
    receivedOn: z.iso.date(),
    reference: plainName(120).nullable(),
  }),
  response: invoice,
});

export const invoiceChanged = defineEvent('invoice.changed.v1', 'billing', {
  data: z.object({
    orgId,
    invoiceId,
    change: z.enum(['issued', 'payment-recorded']),
    /**
     * For the audit log: who acted, and the amount of the invoice or payment. Missing in events of earlier versions.
     */
    act: z.object({ by: userId, number: z.string(), amountMinor: minor, currency }).optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'billing:read', resources: ['invoices'] },
  audit: ({ invoiceId: id, change, act }) =>
    act
      ? {
          act: change === 'issued' ? 'invoice.issued' : 'payment.recorded',
          by: act.by,
          target: { of: 'invoice', id, name: act.number },
          changes: changesBetween(null, { amount: auditValues.money(act.amountMinor, act.currency) }),
        }
      : null,
  outside: ['invoiceId', 'change'],
});

export const invoiceRoutes = { listInvoices, getInvoice, listAllInvoices, recordPayment };
