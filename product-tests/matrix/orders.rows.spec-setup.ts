import { invoiceRoutes, orderRoutes, spendRoutes, type Invoice, type Order } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { rowsFor, type World } from './rows.spec-setup.ts';

const month = '2026-11';
export const spendRows = rowsFor(spendRoutes, {
  getSpend: { request: () => ({ query: { month } }) },
  listSpenders: {
    request: () => ({ query: { month: new Date().toISOString().slice(0, 7) } }),
    lists: { ids: ({ owner }) => [owner.me?.id ?? ''], whose: 'organisation' },
  },
  listGroupSpend: { request: () => ({ query: { month } }), lists: null },
  listPrices: { request: () => ({ query: { limit: '100' } }), lists: null },
});

const selling = {
  currency: 'EUR',
  seatMinor: 820,
  seller: { name: 'Seller', address: ['Street 1'], taxNumber: null, payment: ['By transfer'] },
  dueDays: 30,
};
const newOrder = () => ({
  id: newId('order'),
  seats: 2,
  months: 1,
  seatMinor: selling.seatMinor,
  currency: selling.currency,
  buyer: { name: 'Buyer', address: ['Street 2'], taxNumber: null },
  reference: null,
});

/** Seats are sold, the organisation has a limit of them, and none of its orders waits. */
async function readyToOrder({ owner }: World): Promise<void> {
  const { terms } = await owner.call('GET /api/billing/sales-terms');
  if (!terms) await owner.call('PUT /api/billing/sales-terms', { body: { ...selling, version: 0 } });
  const params = { orgId: owner.orgId! };
  const { version, seatLimit } = await owner.call('GET /api/org/all-organisations/:orgId', { params });
  if (seatLimit === null)
    await owner.call('PUT /api/org/all-organisations/:orgId/seat-limit', { params, body: { version, seatLimit: 500 } });
  const { items } = await owner.call('GET /api/billing/orders');
  for (const { id: orderId, state } of items)
    if (state === 'placed') await owner.call('PUT /api/billing/orders/:orderId/withdrawal', { params: { orderId } });
}
async function placed(world: World): Promise<Order> {
  await readyToOrder(world);
  return (await world.owner.call('POST /api/billing/orders', { body: newOrder() })).order;
}
async function billed(world: World): Promise<Invoice> {
  const { id: orderId, version } = await placed(world);
  const body = { version, decision: 'confirmed' } as const;
  const { invoice } = await world.owner.call('PUT /api/billing/all-orders/:orderId/decision', {
    params: { orderId },
    body,
  });
  return world.owner.call('GET /api/billing/invoices/:invoiceId', { params: { invoiceId: invoice!.id } });
}
let listedOrder = '';
let listedInvoice = '';
const anOrder = async (world: World) => {
  listedOrder = (await placed(world)).id;
  return { query: { limit: '100' } };
};
const anInvoice = async (world: World) => {
  listedInvoice = (await billed(world)).id;
  return { query: { limit: '100' } };
};

export const orderRows = rowsFor(orderRoutes, {
  getSalesTerms: { request: () => ({}) },
  changeSalesTerms: {
    repeated: 409,
    request: async (world) => {
      await readyToOrder(world);
      const { terms } = await world.owner.call('GET /api/billing/sales-terms');
      return { body: { ...selling, version: terms!.version } };
    },
  },
  getSeatOffer: { request: () => ({}) },
  listOrders: { request: anOrder, lists: { ids: () => [listedOrder], whose: 'organisation' } },
  getOrder: { things: 'organisation', request: async (world) => ({ params: { orderId: (await placed(world)).id } }) },
  placeOrder: {
    request: async (world) => {
      await readyToOrder(world);
      return { body: newOrder() };
    },
  },
  withdrawOrder: {
    things: 'organisation',
    request: async (world) => ({ params: { orderId: (await placed(world)).id } }),
  },
  listAllOrders: { request: anOrder, lists: { ids: () => [listedOrder], whose: 'owner' } },
  decideOrder: {
    things: 'owner',
    repeated: 409,
    request: async (world) => {
      const { id, version } = await placed(world);
      return { params: { orderId: id }, body: { version, decision: 'confirmed' } };
    },
  },
});

export const invoiceRows = rowsFor(invoiceRoutes, {
  listInvoices: { request: anInvoice, lists: { ids: () => [listedInvoice], whose: 'organisation' } },
  getInvoice: {
    things: 'organisation',
    request: async (world) => ({ params: { invoiceId: (await billed(world)).id } }),
  },
  listAllInvoices: { request: anInvoice, lists: { ids: () => [listedInvoice], whose: 'owner' } },
  recordPayment: {
    things: 'owner',
    request: async (world) => {
      const { id, version } = await billed(world);
      const receivedOn = new Date().toISOString().slice(0, 10);
      const body = { id: newId('payment'), version, amountMinor: 820, receivedOn, reference: null };
      return { params: { invoiceId: id }, body };
    },
  },
});
