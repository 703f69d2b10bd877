import {
  changeSalesTerms,
  decideOrder,
  getOrder,
  getSalesTerms,
  getSeatOffer,
  listAllOrders,
  listOrders,
  placeOrder,
  withdrawOrder,
} from '@parley/contracts';
import { feature } from '@parley/platform/service';
import { invoicesFeature } from '../invoices/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { ratesFeature } from '../rates/index.ts';
import { AllOrdersService } from './all-orders.service.ts';
import { Fulfilment } from './fulfilment.ts';
import { ManualPaymentProvider } from './manual-payment-provider.ts';
import { OrdersConsumer } from './orders.consumer.ts';
import { OrdersService } from './orders.service.ts';
import { PaymentProvider } from './payment-provider.ts';
import { SalesTermsService } from './sales-terms.service.ts';

const paymentProvider = { provide: PaymentProvider, useClass: ManualPaymentProvider };

export const ordersFeature = feature({
  routes: { offer: getSeatOffer, list: listOrders, read: getOrder, place: placeOrder, withdraw: withdrawOrder },
  handlers: OrdersService,
  providers: [SalesTermsService, paymentProvider, OrganisationCalls],
  imports: [ratesFeature],
  consumers: [OrdersConsumer],
});
export const allOrdersFeature = feature({
  routes: { terms: getSalesTerms, changeTerms: changeSalesTerms, list: listAllOrders, decide: decideOrder },
  handlers: AllOrdersService,
  providers: [SalesTermsService, Fulfilment, paymentProvider],
  imports: [ratesFeature, invoicesFeature],
});
