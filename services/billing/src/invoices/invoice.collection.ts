import { invoice, invoiceId, orderId, payment, buyer, currency, seller } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const invoiceRows = collection(
  'invoices',
  {
    _id: invoiceId,
    number: z.string(),
    orgId,
    orderId,
    issuedOn: z.iso.date(),
    dueOn: z.iso.date(),
    currency,
    seller,
    buyer,
    reference: z.string().nullable(),
    lines: invoice.shape.lines,
    totalMinor: z.number().int(),
    paidMinor: z.number().int(),
    /** By it platform admins filter. */
    state: z.enum(['open', 'paid']),
    payments: z.array(payment),
    version: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, _id: -1 },
      { state: 1, _id: -1 },
      [{ number: 1 }, { unique: true }],
      [{ orderId: 1 }, { unique: true }],
    ],
  },
);
export type InvoiceRow = RowOf<typeof invoiceRows>;

/** One row per year: the last number that was given. */
export const invoiceCounterRows = collection(
  'invoice_counters',
  { _id: z.string(), last: z.number().int() },
  { tenant: 'platform' },
);
