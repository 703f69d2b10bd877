import type { SalesTerms } from '@parley/contracts';
import type { OrderRow } from './order.collection.ts';

/**
 * Who takes the money for orders. An order counts once its provider has said so, and nobody else: what it says is told to
 * `Fulfilment.confirm`, which does the same order once, however often and by however many it is told.
 */
export abstract class PaymentProvider {
  /** The order was stored. Where the buyer goes to pay, null for nowhere; the same order again starts nothing new. */
  abstract startCheckout(order: OrderRow): Promise<URL | null>;
  /** The last day of payment of an invoice that is written on that day. */
  abstract dueOn(issuedOn: string, sales: SalesTerms): string;
}
