import { Injectable } from '@nestjs/common';
import {
  dayAt,
  invoiceChanged,
  mostPayments,
  type getInvoice,
  type Invoice,
  type listAllInvoices,
  type listInvoices,
  type recordPayment,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import type { InvoiceRow } from './invoice.collection.ts';
import { InvoicesRepository, invoiceTold } from './invoices.repository.ts';

/** No time zone is further ahead. */
const furthestZone = 'Pacific/Kiritimati';

@Injectable()
export class InvoicesService {
  constructor(
    private readonly repository: InvoicesRepository,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  list({ scope, query }: InputOf<typeof listInvoices>): Promise<ResponseOf<typeof listInvoices>> {
    return this.repository.invoices.within(scope).page(query, { by: { _id: -1 }, to: toInvoice });
  }

  async read({ scope, params }: InputOf<typeof getInvoice>): Promise<Invoice> {
    const row = await this.repository.invoices.within(scope).findById(params.invoiceId);
    if (!row) throw new Problem('billing.invoice-not-found');
    return toInvoice(row);
  }

  listAll({ scope, query }: InputOf<typeof listAllInvoices>): Promise<ResponseOf<typeof listAllInvoices>> {
    const { state, ...page } = query;
    const where = state ? { state } : {};
    return this.repository.invoices.within(scope).page(page, { by: { _id: -1 }, where, to: toInvoice });
  }

  async recordPayment({ scope, principal, params, body }: InputOf<typeof recordPayment>): Promise<Invoice> {
    const { id, version, amountMinor, receivedOn, reference } = body;
    const now = this.clock.now();
    if (receivedOn > dayAt(now, furthestZone)) throw invalid('receivedOn', 'is in the future');
    return this.work.run(principal, async (tx) => {
      const invoices = this.repository.invoices.within(scope, tx);
      const row = await invoices.findById(params.invoiceId);
      if (!row) throw new Problem('billing.invoice-not-found');
      if (row.payments.some((payment) => payment.id === id)) return toInvoice(row);
      if (row.payments.length >= mostPayments) throw invalid('id', `at most ${mostPayments} payments`);
      const by = { userId: principal.userId, name: principal.name };
      const payments = [...row.payments, { id, amountMinor, receivedOn, reference, by, at: now.toISOString() }];
      const paidMinor = row.paidMinor + amountMinor;
      const state = paidMinor >= row.totalMinor ? 'paid' : 'open';
      const changed = await invoices.change(
        { _id: row._id, version },
        { $set: { payments, paidMinor, state }, $inc: { version: 1 } },
      );
      if (!changed) throw new Problem('platform.conflict', { current: toInvoice(row) });
      tx.record(invoiceChanged, invoiceTold(row, 'payment-recorded', { by: principal, amountMinor }));
      return toInvoice(changed);
    });
  }
}

const toInvoice = ({ _id: id, state: _state, ...invoice }: InvoiceRow): Invoice => ({ id, ...invoice });
const invalid = (field: string, message: string): Problem =>
  new Problem('platform.invalid-request', { errors: [{ path: `body.${field}`, message }] });
