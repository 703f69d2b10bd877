import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { newPerson, plantMember, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let admin: ParleyClient;
let owner: ParleyClient;
let colleague: ParleyClient;

beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Operators', setupToken });
  owner = await newPerson(running.url, { organisation: 'Fennick Clinics' });
  colleague = await newPerson(running.url);
  await plantMember(running.parley, colleague, owner, 'owner');
  const params = { orgId: owner.orgId! };
  const { version } = await admin.call('GET /api/org/all-organisations/:orgId', { params });
  await admin.call('PUT /api/org/all-organisations/:orgId/seat-limit', { params, body: { version, seatLimit: 5 } });
  const seller = { name: 'Operators', address: ['Street 1'], taxNumber: null, payment: ['By transfer'] };
  const terms = { currency: 'EUR', seatMinor: 500, seller, dueDays: 14, version: 0 };
  await admin.call('PUT /api/billing/sales-terms', { body: terms });
}, 90_000);
afterAll(() => running.close());

test('ordered seats are there once a platform admin has confirmed, and everybody who looks is told', async () => {
  const socket = colleague.socket();
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
  });
  const told: string[] = [];
  socket.on('resource.changed', ({ resources }) => told.push(...resources));
  const heardOf = (resource: string) =>
    eventually(() => expect(told).toContain(resource), `${resource} should be told`);

  const buyer = { name: 'Fennick Clinics', address: ['Street 2'], taxNumber: null };
  const wish = { id: newId('order'), seats: 3, months: 2, seatMinor: 500, currency: 'EUR', buyer, reference: null };
  const { order } = await owner.call('POST /api/billing/orders', { body: wish });
  await heardOf('orders');

  told.length = 0;
  const decision = { version: order.version, decision: 'confirmed' } as const;
  const params = { orderId: order.id };
  await admin.call('PUT /api/billing/all-orders/:orderId/decision', { params, body: decision });
  for (const resource of ['orders', 'invoices', 'seats']) await heardOf(resource);
  const done = await eventually(async () => {
    const seen = await colleague.call('GET /api/billing/orders/:orderId', { params });
    expect(seen.raised).toMatchObject({ before: 5, after: 8 });
    return seen;
  }, 'the seats should be there');
  expect((await owner.call('GET /api/org/seats')).limit).toBe(8);

  told.length = 0;
  const receivedOn = new Date().toISOString().slice(0, 10);
  const payment = { id: newId('payment'), version: 1, amountMinor: 3_000, receivedOn, reference: null };
  const invoiceId = done.invoice!.id;
  await admin.call('POST /api/billing/all-invoices/:invoiceId/payments', { params: { invoiceId }, body: payment });
  await heardOf('invoices');
  socket.close();
}, 120_000);
