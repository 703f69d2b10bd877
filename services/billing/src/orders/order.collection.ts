import { buyer, currency, invoiceId, orderId, orderState, seller } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const person = z.strictObject({ userId, name: z.string() });

export const orderRows = collection(
  'orders',
  {
    _id: orderId,
    orgId,
    organisation: z.string(),
    /** That of the organisation when it ordered: by it the days of its time are counted. */
    timeZone: z.string(),
    seats: z.number().int(),
    months: z.number().int(),
    seatMinor: z.number().int(),
    totalMinor: z.number().int(),
    currency,
    buyer,
    reference: z.string().nullable(),
    state: orderState,
    placedBy: person,
    placedAt: z.date(),
    decidedBy: person.nullable(),
    decidedAt: z.date().nullable(),
    refusal: z.string().nullable(),
    raised: z.strictObject({ before: z.number().nullable(), after: z.number().nullable(), at: z.date() }).nullable(),
    invoice: z.strictObject({ id: invoiceId, number: z.string(), dueOn: z.iso.date() }).nullable(),
    version: z.number().int(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, _id: -1 },
      { orgId: 1, state: 1 },
      { state: 1, _id: -1 },
    ],
  },
);
export type OrderRow = RowOf<typeof orderRows>;

/** One row: what seats cost and who sells them. */
export const salesTermsRows = collection(
  'sales_terms',
  {
    _id: z.string(),
    currency,
    seatMinor: z.number().int().nullable(),
    seller,
    dueDays: z.number().int(),
    version: z.number().int(),
  },
  { tenant: 'platform' },
);
