import { Injectable } from '@nestjs/common';
import { dayAt, orderChanged, orderConfirmed, type PersonPrincipal } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Problem, type UserId } from '@parley/protocol';
import { InvoicesRepository } from '../invoices/index.ts';
import { orderRows, type OrderRow } from './order.collection.ts';
import { orderTold, personOf } from './order.ts';
import { PaymentProvider } from './payment-provider.ts';
import { SalesTermsService } from './sales-terms.service.ts';

/** What a confirmed order leads to: its invoice and, by its event, the seats. */
@Injectable()
export class Fulfilment {
  private readonly orders: Rows<typeof orderRows>;

  constructor(
    mongo: Mongo,
    private readonly invoices: InvoicesRepository,
    private readonly terms: SalesTermsService,
    private readonly provider: PaymentProvider,
    private readonly clock: Clock,
  ) {
    this.orders = mongo.rows(orderRows);
  }

  /** All of it in this transaction, once: null when the order does not wait any more in the version that was seen. */
  async confirm(
    scope: OrganisationScope,
    { order, by }: { readonly order: OrderRow; readonly by: PersonPrincipal },
    tx: Transaction,
  ): Promise<OrderRow | null> {
    const now = this.clock.now();
    const sales = await this.terms.present(tx);
    if (!sales) throw new Problem('billing.seats-not-sold');
    const waiting = { _id: order._id, state: 'placed', version: order.version } as const;
    const decided = { state: 'confirmed', decidedBy: personOf(by), decidedAt: now } as const;
    if (!(await this.orders.within(scope, tx).update(waiting, { $set: decided, $inc: { version: 1 } }))) return null;
    const dueOn = this.provider.dueOn(dayAt(now, 'UTC'), sales);
    const { _id: id, number } = await this.invoices.write(scope, { order, seller: sales.seller, dueOn, now, by }, tx);
    const { orgId } = scope;
    tx.record(orderChanged, orderTold(order, 'confirmed', { by }));
    tx.record(orderConfirmed, { orgId, orderId: order._id, seats: order.seats, by: by.userId as UserId });
    return this.orders.within(scope, tx).change({ _id: order._id }, { $set: { invoice: { id, number, dueOn } } });
  }
}
