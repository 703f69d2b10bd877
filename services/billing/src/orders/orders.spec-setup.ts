import { beforeAll } from '@jest/globals';
import type { Order } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { billingSetup } from '../billing.spec-setup.ts';
import type { OrganisationCalls, OrganisationFacts } from '../organisation/index.ts';
import { AllOrdersService } from './all-orders.service.ts';
import { Fulfilment } from './fulfilment.ts';
import { ManualPaymentProvider } from './manual-payment-provider.ts';
import { OrdersConsumer } from './orders.consumer.ts';
import { OrdersService } from './orders.service.ts';
import { SalesTermsService } from './sales-terms.service.ts';

/** Orders and their invoices on a store of the spec's own: seats are sold at 8.20 EUR. */
export async function ordersSetup() {
  const { mongo, work, clock, ready, recorded, prices, invoices, books } = await billingSetup();
  /** As org has it; a limit of null is none. */
  const org: { seatLimit: number | null } = { seatLimit: 500 };
  const facts = async () =>
    ({ name: 'Lindmoor Energy', timeZone: 'Europe/Berlin', memberCount: 412, ...org }) as OrganisationFacts;
  const organisations = { facts } as unknown as OrganisationCalls;
  const provider = new ManualPaymentProvider();
  const terms = new SalesTermsService(mongo, prices, work);
  const orders = new OrdersService(mongo, terms, provider, organisations, work, clock);
  const fulfilment = new Fulfilment(mongo, invoices, terms, provider, clock);
  const all = new AllOrdersService(mongo, terms, fulfilment, work, clock);
  const consumer = new OrdersConsumer(mongo, { failpoint: async () => {} } as unknown as Platform);
  const admin = aPerson({ name: 'Greta Solvain', platformRole: 'admin' });
  const ines = aPerson({ name: 'Ines Vardale' });
  const seller = {
    name: 'Parley GmbH',
    address: ['Hafen 1', '20457 Hamburg'],
    taxNumber: null,
    payment: ['DE00 1234'],
  };
  const buyer = { name: 'Lindmoor Energy AG', address: ['Moor 2'], taxNumber: 'XX 204 118 337' };
  const selling = { currency: 'EUR', seatMinor: 820, seller, dueDays: 30 };

  const changeTerms = (version: number, more: object = {}) =>
    all.changeTerms({ scope: tests, principal: admin, body: { ...selling, ...more, version } } as never);
  const wish = (more: object = {}) => ({
    id: newId('order'),
    seats: 100,
    months: 12,
    seatMinor: 820,
    currency: 'EUR',
    buyer,
    reference: null,
    ...more,
  });
  const place = (orgId: OrgId, body: object = wish(), principal = ines) =>
    orders.place({ scope: tests.in(orgId), principal, body } as never);
  const placed = async (orgId: OrgId, more: object = {}) => (await place(orgId, wish(more))).order;
  const decide = ({ id, version }: Order, body: object = { decision: 'confirmed' }, principal = admin) =>
    all.decide({ scope: tests, principal, params: { orderId: id }, body: { version, ...body } } as never);
  const read = (orgId: OrgId, orderId: string) => orders.read({ scope: tests.in(orgId), params: { orderId } } as never);
  const withdraw = (orgId: OrgId, orderId: string) =>
    orders.withdraw({ scope: tests.in(orgId), principal: ines, params: { orderId } } as never);
  const ofOrg = async (orgId: OrgId) => (await recorded()).filter(({ subject }) => subject === orgId);
  const invoicesOf = async (orgId: OrgId) =>
    (await books.list({ scope: tests.in(orgId), query: { limit: 50 } } as never)).items;
  beforeAll(async () => {
    await ready();
    await changeTerms(0);
  });
  return {
    mongo,
    work,
    clock,
    recorded,
    prices,
    invoices,
    books,
    org,
    orders,
    all,
    consumer,
    admin,
    ines,
    seller,
    buyer,
    changeTerms,
    wish,
    place,
    placed,
    decide,
    read,
    withdraw,
    ofOrg,
    invoicesOf,
  };
}

export const tests = jobScope('tests');
