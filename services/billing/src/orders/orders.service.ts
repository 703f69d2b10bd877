import { Injectable } from '@nestjs/common';
import {
  mostWaitingOrders,
  orderChanged,
  type getOrder,
  type getSeatOffer,
  type listOrders,
  type Order,
  type OrderId,
  type placeOrder,
  type withdrawOrder,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { OrganisationCalls } from '../organisation/index.ts';
import { orderRows, type OrderRow } from './order.collection.ts';
import { newOrder, orderTold, toOrder } from './order.ts';
import { PaymentProvider } from './payment-provider.ts';
import { SalesTermsService } from './sales-terms.service.ts';

/** What an organisation orders. */
@Injectable()
export class OrdersService {
  private readonly orders: Rows<typeof orderRows>;

  constructor(
    mongo: Mongo,
    private readonly terms: SalesTermsService,
    private readonly provider: PaymentProvider,
    private readonly organisations: OrganisationCalls,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {
    this.orders = mongo.rows(orderRows);
  }

  async offer({ scope }: InputOf<typeof getSeatOffer>): Promise<ResponseOf<typeof getSeatOffer>> {
    const [terms, facts, last] = await Promise.all([
      this.terms.present(),
      this.organisations.facts(scope.orgId),
      this.orders.within(scope).findOne({}, { sort: { _id: -1 } }),
    ]);
    const price = terms?.seatMinor ? { seatMinor: terms.seatMinor, currency: terms.currency } : null;
    const seats = { used: facts.memberCount, limit: facts.seatLimit };
    return { price, seller: terms?.seller.name ?? null, seats, buyer: last?.buyer ?? null };
  }

  list({ scope, query }: InputOf<typeof listOrders>): Promise<ResponseOf<typeof listOrders>> {
    return this.orders.within(scope).page(query, { by: { _id: -1 }, to: toOrder });
  }

  async read({ scope, params }: InputOf<typeof getOrder>): Promise<Order> {
    return toOrder(await this.find(scope, params.orderId));
  }

  async place({ scope, principal, body }: InputOf<typeof placeOrder>): Promise<ResponseOf<typeof placeOrder>> {
    const known = await this.orders.within(scope).findById(body.id);
    const row = known ?? (await this.placeNew({ scope, principal, body }));
    const continueAt = row.state === 'placed' ? await this.provider.startCheckout(row) : null;
    return { order: toOrder(row), continueAt: continueAt?.href ?? null };
  }

  async withdraw({ scope, principal, params }: InputOf<typeof withdrawOrder>): Promise<Order> {
    return this.work.run(principal, async (tx) => {
      const order = await this.find(scope, params.orderId, tx);
      if (order.state === 'withdrawn') return toOrder(order);
      const changes = { state: 'withdrawn', decidedBy: { userId: principal.userId, name: principal.name } } as const;
      const changed = await this.orders
        .within(scope, tx)
        .change(
          { _id: order._id, state: 'placed', version: order.version },
          { $set: { ...changes, decidedAt: this.clock.now() }, $inc: { version: 1 } },
        );
      if (!changed) throw new Problem('platform.conflict', { current: toOrder(order) });
      tx.record(orderChanged, orderTold(changed, 'withdrawn', { by: principal }));
      return toOrder(changed);
    });
  }

  private async placeNew({
    scope,
    principal,
    body,
  }: Pick<InputOf<typeof placeOrder>, 'scope' | 'principal' | 'body'>): Promise<OrderRow> {
    const { orgId } = scope;
    const organisation = await this.organisations.facts(orgId);
    return this.work.run(principal, async (tx) => {
      const orders = this.orders.within(scope, tx);
      const terms = await this.terms.present(tx);
      const wanted = newOrder(body, { by: principal, organisation, terms, orgId, now: this.clock.now() });
      if ((await orders.count({ state: 'placed' }, { limit: mostWaitingOrders })) >= mostWaitingOrders)
        throw new Problem('billing.orders-waiting');
      const { row, isNew } = await orders.insertOnce(wanted);
      if (isNew) tx.record(orderChanged, orderTold(row, 'placed', { by: principal }));
      return row;
    });
  }

  private async find(scope: OrganisationScope, orderId: OrderId, tx?: Transaction): Promise<OrderRow> {
    const row = await this.orders.within(scope, tx).findById(orderId);
    if (!row) throw new Problem('billing.order-not-found');
    return row;
  }
}
