import { defineEvent, defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invoiceId, orderId, paymentId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { plainName } from '../../plain-text.ts';
import { buyer, seller } from './orders.ts';
import { currency } from './rates.ts';

/** Integer minor units of the currency, such as cents. */
const minor = z.number().int();
/** What one payment can be at most: ten milliards of a currency with cents. */
export const highestPaymentMinor = 1_000_000_000_000;
/** So many payments one invoice may have. */
export const mostPayments = 100;

/** Money that has come in, as a platform admin wrote it down. */
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
 * Numbered without gaps in each year of UTC, and never changed: names and addresses are those of the day on which it was
 * written. What is paid beyond its total is the organisation's credit.
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

/** Those of all organisations, newest first. */
export const listAllInvoices = defineRoute({
  ...platform,
  route: 'GET /api/billing/all-invoices',
  cost: 'report',
  query: pageQuery.extend({ state: z.enum(['open', 'paid']).optional() }),
  response: pageOf(invoice),
});

/**
 * Writes down money that came in: a part, all, or more than is open. Not in the future. The version is that which was
 * seen, so that of two admins at once one gets `platform.conflict`. Repeating it with the same id changes nothing.
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
    /** For the audit log: the amount of the invoice or of the payment. Absent in what earlier versions told. */
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
