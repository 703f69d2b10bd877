import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { OrderActsConsumer } from './order-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new OrderActsConsumer(audit, people);
const time = '2026-11-21T10:42:00.000Z';
const ordered = { seats: 12, months: 6, totalMinor: 59_040, currency: 'EUR' };

test('what is done with orders, invoices and payments stands in the audit log, by whom and for how much', async () => {
  const { orgId, owner } = await founded(setup);
  const [orderId, invoiceId, admin] = [newId('order'), newId('invoice'), newId('user')];
  const tell = (write: 'writeOrder' | 'writeInvoice', data: object) =>
    work.run(owner, (tx) =>
      consumer[write]({ data: { orgId, ...data }, time } as never, { tx, scope: tests.in(orgId) } as never),
    );
  const order = (change: string, by: string, reason: string | null = null) =>
    tell('writeOrder', { orderId, change, act: { by, reason, ...ordered } });
  await order('placed', owner.userId);
  await order('refused', admin, 'Pay the last one first');
  await order('withdrawn', owner.userId);
  await order('confirmed', admin);
  const invoiced = { number: '2026-0031', currency: 'EUR' };
  await tell('writeInvoice', { invoiceId, change: 'issued', act: { by: admin, amountMinor: 59_040, ...invoiced } });
  const paid = { by: admin, amountMinor: 9_000, ...invoiced };
  await tell('writeInvoice', { invoiceId, change: 'payment-recorded', act: paid });
  // Nobody's act, and what was told before acts were.
  await tell('writeOrder', { orderId, change: 'seats-raised' });
  await tell('writeInvoice', { invoiceId, change: 'issued' });
  const { items } = await audit.list(asked(owner, { query: { limit: 6 } }));
  const seen = items.map(({ act, actor, target, before, after }) => [act, actor.userId, target.name, before, after]);
  expect(seen).toEqual([
    ['payment.recorded', admin, '2026-0031', null, { amountMinor: 9_000, currency: 'EUR' }],
    ['invoice.issued', admin, '2026-0031', null, { amountMinor: 59_040, currency: 'EUR' }],
    ['order.confirmed', admin, orderId, null, ordered],
    ['order.withdrawn', owner.userId, orderId, ordered, null],
    ['order.refused', admin, orderId, ordered, null],
    ['order.placed', owner.userId, orderId, null, ordered],
  ]);
  expect(items[4]).toMatchObject({ at: time, reason: 'Pay the last one first', actor: { isPlatformAdmin: true } });
  expect(items[5]).toMatchObject({ reason: null, actor: { isPlatformAdmin: false } });
});
