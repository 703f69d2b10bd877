import { describe, expect, test } from '@jest/globals';
import { mostPayments } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { aPerson } from '@parley/testing';
import { ordersSetup, tests } from './orders.spec-setup.ts';

const { clock, books, admin, placed, decide, ofOrg, invoicesOf } = await ordersSetup();

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
    // The day has begun somewhere when it is 10:00 UTC the day before.
    clock.advance((34 - clock.now().getUTCHours()) * 3_600_000);
    const [today, tomorrow, dayAfter] = [0, 1, 2].map((days) =>
      new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10),
    );
    await pay(id, { version: 1, amountMinor: 1, receivedOn: today });
    await pay(id, { version: 2, amountMinor: 1, receivedOn: tomorrow });
    const early = pay(id, { version: 3, amountMinor: 1, receivedOn: dayAfter });
    await expect(early).rejects.toMatchObject({ code: 'platform.invalid-request' });
  });

  test(`are ${mostPayments} of an invoice at most, and sent again after that they are there`, async () => {
    const { id } = await billed();
    const payment = (at: number) => ({ id: `pay_${at}`, version: at, amountMinor: 1 });
    for (let at = 1; at <= mostPayments; at += 1) await pay(id, payment(at));
    const full = pay(id, payment(mostPayments + 1));
    await expect(full).rejects.toMatchObject({ code: 'platform.invalid-request' });
    expect(await pay(id, payment(1))).toMatchObject({ paidMinor: mostPayments });
  });
});
