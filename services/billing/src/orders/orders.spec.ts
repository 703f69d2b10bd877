import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Order, OrgId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { aPerson } from '@parley/testing';
import { billingSetup } from '../billing.spec-setup.ts';
import type { OrganisationCalls, OrganisationFacts } from '../organisation/index.ts';
import { AllOrdersService } from './all-orders.service.ts';
import { Fulfilment } from './fulfilment.ts';
import { ManualPaymentProvider } from './manual-payment-provider.ts';
import { OrdersConsumer } from './orders.consumer.ts';
import { OrdersService } from './orders.service.ts';
import { SalesTermsService } from './sales-terms.service.ts';

const { mongo, work, clock, ready, recorded, prices, invoices, books } = await billingSetup();
const tests = jobScope('tests');
/** As org has it; a limit of null is none. */
let seatLimit: number | null = 500;
const facts = async () =>
  ({ name: 'Lindmoor Energy', timeZone: 'Europe/Berlin', memberCount: 412, seatLimit }) as OrganisationFacts;
const organisations = { facts } as unknown as OrganisationCalls;
const provider = new ManualPaymentProvider();
const terms = new SalesTermsService(mongo, prices, work);
const orders = new OrdersService(mongo, terms, provider, organisations, work, clock);
const fulfilment = new Fulfilment(mongo, invoices, terms, provider, clock);
const all = new AllOrdersService(mongo, terms, fulfilment, work, clock);
const consumer = new OrdersConsumer(mongo, { failpoint: async () => {} } as unknown as Platform);
const admin = aPerson({ name: 'Greta Solvain', platformRole: 'admin' });
const ines = aPerson({ name: 'Ines Vardale' });
const seller = { name: 'Parley GmbH', address: ['Hafen 1', '20457 Hamburg'], taxNumber: null, payment: ['DE00 1234'] };
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

describe('an order', () => {
  test('waits with what it costs, once however often it is sent', async () => {
    const orgId = newId('organisation');
    const body = wish();
    const first = await place(orgId, body);
    expect(first).toMatchObject({
      continueAt: null,
      order: {
        state: 'placed',
        organisation: 'Lindmoor Energy',
        totalMinor: 984_000,
        placedBy: { name: 'Ines Vardale' },
      },
    });
    expect(await place(orgId, { ...body, seats: 1 })).toEqual(first);
    expect((await ofOrg(orgId)).map(({ type }) => type)).toEqual(['order.changed.v1']);
  });

  test('is of nobody else', async () => {
    const [orgId, other] = [newId('organisation'), newId('organisation')];
    const { id } = await placed(orgId);
    await expect(read(other, id)).rejects.toMatchObject({ code: 'billing.order-not-found' });
    await expect(withdraw(other, id)).rejects.toMatchObject({ code: 'billing.order-not-found' });
    await expect(place(other, wish({ id }))).rejects.toMatchObject({ code: 'platform.conflict' });
  });

  test('is at the price that was seen', async () => {
    const orgId = newId('organisation');
    await expect(placed(orgId, { seatMinor: 1 })).rejects.toMatchObject({
      code: 'billing.price-changed',
      extras: { current: { seatMinor: 820, currency: 'EUR' } },
    });
    await expect(placed(orgId, { currency: 'USD' })).rejects.toMatchObject({ code: 'billing.price-changed' });
  });

  test('needs a limit that it can raise', async () => {
    seatLimit = null;
    await expect(placed(newId('organisation'))).rejects.toMatchObject({ code: 'billing.no-seat-limit' });
    seatLimit = 500;
  });

  test('waits beside nine others at most', async () => {
    const orgId = newId('organisation');
    const [first] = [await placed(orgId)];
    for (let count = 2; count <= 10; count += 1) await placed(orgId);
    await expect(placed(orgId)).rejects.toMatchObject({ code: 'billing.orders-waiting' });
    await withdraw(orgId, first.id);
    await placed(orgId);
  });

  test('that was withdrawn stays so, and cannot be confirmed', async () => {
    const orgId = newId('organisation');
    const order = await placed(orgId);
    const gone = await withdraw(orgId, order.id);
    expect(await withdraw(orgId, order.id)).toEqual(gone);
    for (const seen of [order, gone])
      await expect(decide(seen)).rejects.toMatchObject({
        code: 'platform.conflict',
        extras: { current: { state: 'withdrawn' } },
      });
    expect(await invoicesOf(orgId)).toEqual([]);
  });

  test('that is refused says why, and leads to nothing', async () => {
    const orgId = newId('organisation');
    const order = await placed(orgId);
    const refused = await decide(order, { decision: 'refused', reason: 'No contract yet' });
    expect(refused).toMatchObject({
      state: 'refused',
      refusal: 'No contract yet',
      decidedBy: { name: 'Greta Solvain' },
    });
    await expect(withdraw(orgId, order.id)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect((await ofOrg(orgId)).map(({ type }) => type)).not.toContain('order.confirmed.v1');
  });
});

describe('a confirmed order', () => {
  test('has its invoice as names, price and days were then, and tells org of the seats', async () => {
    const orgId = newId('organisation');
    const confirmed = await decide(await placed(orgId, { reference: 'PO 7' }));
    const [invoice] = await invoicesOf(orgId);
    expect(confirmed).toMatchObject({
      state: 'confirmed',
      raised: null,
      invoice: { id: invoice!.id, number: invoice!.number, dueOn: '2026-12-21' },
    });
    expect(invoice).toMatchObject({
      issuedOn: '2026-11-21',
      seller,
      buyer,
      reference: 'PO 7',
      lines: [
        { seats: 100, months: 12, seatMinor: 820, from: '2026-11-21', until: '2027-11-20', amountMinor: 984_000 },
      ],
      totalMinor: 984_000,
      paidMinor: 0,
      payments: [],
    });
    const told = (await ofOrg(orgId)).filter(({ type }) => type === 'order.confirmed.v1');
    expect(told.map(({ data }) => data)).toEqual([{ orgId, orderId: confirmed.id, seats: 100, by: admin.userId }]);
  });

  test('of two admins at once is confirmed by one', async () => {
    const orgId = newId('organisation');
    const order = await placed(orgId);
    const both = await Promise.allSettled([1, 2].map(() => decide(order, undefined, aPerson())));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await invoicesOf(orgId)).toHaveLength(1);
  });

  test('knows when its seats are there, once', async () => {
    const orgId = newId('organisation');
    const order = await decide(await placed(orgId));
    const event = { data: { orgId, orderId: order.id, before: 500, after: 600 }, time: clock.now().toISOString() };
    for (const _ of [1, 2])
      await work.run(job('tests'), (tx) => consumer.noteSeats(event as never, { scope: tests.in(orgId), tx } as never));
    expect(await read(orgId, order.id)).toMatchObject({ raised: { before: 500, after: 600 } });
    const changes = (await ofOrg(orgId)).map(({ data }) => (data as { change?: string }).change);
    expect(changes.filter((change) => change === 'seats-raised')).toHaveLength(1);
  });
});

test('numbers of invoices have no gaps, under many at once and where something fails, and begin anew each year', async () => {
  const waiting = await Promise.all([1, 2, 3, 4, 5, 6].map(() => placed(newId('organisation'))));
  const failing = work.run(admin, async (tx) => {
    const order = { ...waiting[0]!, _id: newId('order'), timeZone: 'UTC' };
    const { orgId } = waiting[0]!;
    await invoices.write(tests.in(orgId), { order, seller, dueOn: '2026-12-01', now: clock.now(), by: admin }, tx);
    throw new Error('after the number was given');
  });
  await expect(failing).rejects.toThrow('after the number was given');
  await Promise.all(waiting.map((order) => decide(order)));
  const every = async () =>
    (await books.listAll({ scope: tests, query: { limit: 100 } } as never)).items
      .map(({ number }) => number)
      .toSorted();
  const numbers = await every();
  expect(numbers).toEqual(numbers.map((_, index) => `2026-${String(index + 1).padStart(4, '0')}`));
  clock.advance(41 * 86_400_000);
  expect((await decide(await placed(newId('organisation')))).invoice?.number).toBe('2027-0001');
});

describe('payments', () => {
  const pay = (invoiceId: string, body: object, principal = admin) =>
    books.recordPayment({
      scope: tests,
      principal,
      params: { invoiceId },
      body: { id: newId('payment'), receivedOn: clock.now().toISOString().slice(0, 10), reference: null, ...body },
    } as never);
  const billed = async () => {
    const orgId = newId('organisation');
    const { invoice } = await decide(await placed(orgId, { seats: 1, months: 1 }));
    return { orgId, id: invoice!.id };
  };
  const listed = async (state: string, id: string) =>
    (await books.listAll({ scope: tests, query: { limit: 100, state } } as never)).items.some((one) => one.id === id);

  test('are added up: a part leaves it open, more than the total is credit', async () => {
    const { orgId, id } = await billed();
    const first = await pay(id, { version: 1, amountMinor: 320 });
    expect(first).toMatchObject({ paidMinor: 320, totalMinor: 820, version: 2 });
    expect([await listed('open', id), await listed('paid', id)]).toEqual([true, false]);
    const second = await pay(id, { version: 2, amountMinor: 600, reference: 'Transfer 9' });
    expect(second).toMatchObject({ paidMinor: 920, payments: [{ amountMinor: 320 }, { reference: 'Transfer 9' }] });
    expect([await listed('open', id), await listed('paid', id)]).toEqual([false, true]);
    expect(await invoicesOf(orgId)).toEqual([second]);
    const types = (await ofOrg(orgId)).map(({ type }) => type);
    expect(types.filter((type) => type === 'invoice.changed.v1')).toHaveLength(3);
  });

  test('count once however often they are sent, and of two admins at once that of one', async () => {
    const { id } = await billed();
    const payment = { id: newId('payment'), version: 1, amountMinor: 5 };
    const made = await pay(id, payment);
    expect(await pay(id, payment)).toEqual(made);
    const both = await Promise.allSettled([1, 2].map(() => pay(id, { version: 2, amountMinor: 7 }, aPerson())));
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('do not come from the future', async () => {
    const { id } = await billed();
    const later = pay(id, { version: 1, amountMinor: 1, receivedOn: '2027-12-31' });
    await expect(later).rejects.toMatchObject({ code: 'platform.invalid-request' });
  });
});

describe('terms', () => {
  test('of two admins at once are those of one, and hold from then on', async () => {
    const orgId = newId('organisation');
    const before = await placed(orgId);
    await changeTerms(1, { seatMinor: 900 });
    await expect(changeTerms(1, { seatMinor: 100 })).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { seatMinor: 900, version: 2 } },
    });
    await expect(changeTerms(0)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect(await read(orgId, before.id)).toMatchObject({ seatMinor: 820 });
    await changeTerms(2, { seatMinor: null });
    await expect(placed(orgId)).rejects.toMatchObject({ code: 'billing.seats-not-sold' });
    const offer = await orders.offer({ scope: tests.in(orgId) } as never);
    expect(offer).toMatchObject({ price: null, seats: { used: 412, limit: 500 }, buyer });
  });

  test('are in the currency of the installation', async () => {
    await work.run(admin, (tx) => prices.hold(tests, 'EUR', tx));
    await expect(changeTerms(3, { currency: 'USD' })).rejects.toMatchObject({ code: 'billing.other-currency' });
  });
});
