import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { aPerson } from '@parley/testing';
import { ordersSetup, tests } from './orders.spec-setup.ts';

const setup = await ordersSetup();
const { mongo, work, clock, prices, invoices, books, org, orders, consumer, admin, seller, buyer } = setup;
const { changeTerms, wish, place, placed, decide, read, withdraw, ofOrg, invoicesOf } = setup;

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
    org.seatLimit = null;
    await expect(placed(newId('organisation'))).rejects.toMatchObject({ code: 'billing.no-seat-limit' });
    org.seatLimit = 500;
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

describe('a decision', () => {
  const conflict = (state: string) => ({ code: 'platform.conflict', extras: { current: { state } } });
  const refusal = { decision: 'refused', reason: 'No contract yet' };

  test('is final: a second one is a conflict, also by who knows the first', async () => {
    const orgId = newId('organisation');
    const [confirmed, refused] = [await decide(await placed(orgId)), await decide(await placed(orgId), refusal)];
    await expect(decide(confirmed, refusal)).rejects.toMatchObject(conflict('confirmed'));
    await expect(decide(confirmed)).rejects.toMatchObject(conflict('confirmed'));
    await expect(decide(refused)).rejects.toMatchObject(conflict('refused'));
    await expect(decide(refused, refusal)).rejects.toMatchObject(conflict('refused'));
    expect([await read(orgId, confirmed.id), await read(orgId, refused.id)]).toEqual([confirmed, refused]);
    expect(await invoicesOf(orgId)).toHaveLength(1);
  });

  test('is about the version that was seen', async () => {
    const orgId = newId('organisation');
    const order = await placed(orgId);
    const rows = mongo.connection.collection<{ _id: string }>('orders');
    await rows.updateOne({ _id: order.id }, { $inc: { version: 1 } });
    for (const decision of [undefined, refusal])
      await expect(decide(order, decision)).rejects.toMatchObject(conflict('placed'));
    expect((await decide({ ...order, version: 2 })).state).toBe('confirmed');
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
    // Whoever sends it again, after a lost reply, has ordered at the old price.
    expect((await place(orgId, wish({ id: before.id }))).order).toEqual(before);
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
