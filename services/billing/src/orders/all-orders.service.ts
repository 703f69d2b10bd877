import { Injectable } from '@nestjs/common';
import {
  orderChanged,
  type changeSalesTerms,
  type decideOrder,
  type getSalesTerms,
  type listAllOrders,
  type Order,
  type SalesTerms,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { Fulfilment } from './fulfilment.ts';
import { orderRows, type OrderRow } from './order.collection.ts';
import { orderTold, personOf, toOrder } from './order.ts';
import { SalesTermsService } from './sales-terms.service.ts';

/** What platform admins do with the orders of all organisations. */
@Injectable()
export class AllOrdersService {
  private readonly orders: Rows<typeof orderRows>;

  constructor(
    mongo: Mongo,
    private readonly sales: SalesTermsService,
    private readonly fulfilment: Fulfilment,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.orders = mongo.rows(orderRows);
  }

  terms(input: InputOf<typeof getSalesTerms>): Promise<ResponseOf<typeof getSalesTerms>> {
    return this.sales.read(input);
  }

  changeTerms(input: InputOf<typeof changeSalesTerms>): Promise<SalesTerms> {
    return this.sales.change(input);
  }

  list({ scope, query }: InputOf<typeof listAllOrders>): Promise<ResponseOf<typeof listAllOrders>> {
    const { state, ...page } = query;
    return this.orders.within(scope).page(page, { by: { _id: -1 }, where: state ? { state } : {}, to: toOrder });
  }

  async decide({ scope, principal, params, body }: InputOf<typeof decideOrder>): Promise<Order> {
    return this.work.run(principal, async (tx) => {
      const order = await this.orders.within(scope, tx).findById(params.orderId);
      if (!order) throw new Problem('billing.order-not-found');
      const own = scope.in(order.orgId);
      if (order.version !== body.version) throw new Problem('platform.conflict', { current: toOrder(order) });
      const decided =
        body.decision === 'confirmed'
          ? await this.fulfilment.confirm(own, { order, by: principal }, tx)
          : await this.refuse(own, { order, by: principal, reason: body.reason }, tx);
      if (!decided) throw new Problem('platform.conflict', { current: toOrder(order) });
      return toOrder(decided);
    });
  }

  private async refuse(
    scope: OrganisationScope,
    { order, by, reason }: { order: OrderRow; by: InputOf<typeof decideOrder>['principal']; reason: string },
    tx: Transaction,
  ): Promise<OrderRow | null> {
    const { _id, version } = order;
    const decided = {
      state: 'refused',
      decidedBy: personOf(by),
      decidedAt: this.clock.now(),
      refusal: reason,
    } as const;
    const changed = await this.orders
      .within(scope, tx)
      .change({ _id, version, state: 'placed' }, { $set: decided, $inc: { version: 1 } });
    if (changed) tx.record(orderChanged, orderTold(changed, 'refused', { by, reason }));
    return changed;
  }
}
