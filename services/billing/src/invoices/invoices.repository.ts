import { Injectable } from '@nestjs/common';
import { dayAt, invoiceChanged, type Buyer, type OrderId, type PersonPrincipal, type Seller } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { DataOf } from '@parley/protocol';
import { invoiceCounterRows, invoiceRows, type InvoiceRow } from './invoice.collection.ts';
import { periodFrom } from './period.ts';

const numbering = jobScope('invoices of all organisations have one row of numbers');
const digits = 4;

/** What was ordered and is to be paid. */
type Ordered = {
  readonly _id: OrderId;
  readonly seats: number;
  readonly months: number;
  readonly seatMinor: number;
  readonly totalMinor: number;
  readonly currency: string;
  readonly timeZone: string;
  readonly buyer: Buyer;
  readonly reference: string | null;
};
type Wanted = {
  readonly order: Ordered;
  readonly seller: Seller;
  readonly dueOn: string;
  readonly now: Date;
  readonly by: PersonPrincipal;
};

/** That somebody has written it, or a payment for it. */
export const invoiceTold = (
  { orgId, _id: invoiceId, number, currency }: InvoiceRow,
  change: 'issued' | 'payment-recorded',
  { by, amountMinor }: { readonly by: PersonPrincipal; readonly amountMinor: number },
): DataOf<typeof invoiceChanged> => ({
  orgId,
  invoiceId,
  change,
  act: { by: by.userId, number, amountMinor, currency },
});

@Injectable()
export class InvoicesRepository {
  readonly invoices: Rows<typeof invoiceRows>;
  private readonly counters: Rows<typeof invoiceCounterRows>;

  constructor(mongo: Mongo) {
    this.invoices = mongo.rows(invoiceRows);
    this.counters = mongo.rows(invoiceCounterRows);
  }

  /** Numbered in the transaction of its order: a number is given with its invoice or not at all. */
  async write(
    scope: OrganisationScope,
    { order, seller, dueOn, now, by }: Wanted,
    tx: Transaction,
  ): Promise<InvoiceRow> {
    const { _id: orderId, seats, months, seatMinor, totalMinor, currency, buyer, reference } = order;
    const issuedOn = dayAt(now, 'UTC');
    const row: InvoiceRow = {
      _id: newId('invoice'),
      number: await this.nextNumber(issuedOn.slice(0, 4), tx),
      orgId: scope.orgId,
      orderId,
      issuedOn,
      dueOn,
      currency,
      seller,
      buyer,
      reference,
      lines: [{ seats, months, seatMinor, ...periodFrom(now, order), amountMinor: totalMinor }],
      totalMinor,
      paidMinor: 0,
      state: 'open',
      payments: [],
      version: 1,
    };
    await this.invoices.within(scope, tx).insert(row);
    tx.record(invoiceChanged, invoiceTold(row, 'issued', { by, amountMinor: totalMinor }));
    return row;
  }

  /** Two at once meet in the one row of the year: the second one is run again and gets the next number. */
  private async nextNumber(year: string, tx: Transaction): Promise<string> {
    const counters = this.counters.within(numbering, tx);
    const { row } = await counters.insertOnce({ _id: year, last: 0 });
    const counted = await counters.change({ _id: year, last: row.last }, { $inc: { last: 1 } });
    if (!counted) throw new Error('The numbers of invoices changed within one transaction.');
    return `${year}-${String(counted.last).padStart(digits, '0')}`;
  }
}
