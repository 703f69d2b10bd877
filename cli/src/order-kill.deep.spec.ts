import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { once } from 'node:events';
import { ownProcesses } from './own-process.spec-setup.ts';

const ines = { name: 'Ines', email: 'ines@lindmoor.example', password: 'three quiet herons' };
const { start } = ownProcesses();
const seller = { name: 'Operators', address: ['Street 1'], taxNumber: null, payment: ['By transfer'] };
const buyer = { name: 'Lindmoor Energy', address: ['Street 2'], taxNumber: null };

/** Three seats beside five are ordered and confirmed, and the process dies at the failpoint. */
async function killedAt(failpoint: string) {
  const { child, url, setupToken } = await start({ PARLEY_TEST_FAILPOINT: failpoint });
  const gone = once(child, 'exit');
  const client = new ParleyClient(url);
  await client.register({ ...ines, setupToken });
  const { id: orgId } = await client.createOrganisation('Lindmoor Energy');
  const { version } = await client.call('GET /api/org/all-organisations/:orgId', { params: { orgId } });
  const body = { version, seatLimit: 5 };
  await client.call('PUT /api/org/all-organisations/:orgId/seat-limit', { params: { orgId }, body });
  const price = { currency: 'EUR', seatMinor: 500 };
  await client.call('PUT /api/billing/sales-terms', { body: { ...price, seller, dueDays: 14, version: 0 } });
  const wish = { id: newId('order'), seats: 3, months: 2, ...price, buyer, reference: null };
  const { order } = await client.call('POST /api/billing/orders', { body: wish });
  const params = { orderId: order.id };
  const decision = { version: order.version, decision: 'confirmed' } as const;
  // It is told as soon as it is stored: the answer may be lost with the process.
  await client.call('PUT /api/billing/all-orders/:orderId/decision', { params, body: decision }).catch(() => null);
  expect((await gone)[1]).toBe('SIGKILL');
  const again = new ParleyClient((await start({})).url);
  await again.signIn(ines.email, ines.password);
  again.orgId = orgId;
  return { client: again, params };
}

test.each([
  ['org has written the seats and not committed them', 'seats-written-not-committed'],
  ['org has raised them, which billing has not noted', 'seats-raised-not-noted'],
])(
  'killed when %s: after the restart the seats are raised once, with one invoice and one entry each',
  async (_when, failpoint) => {
    const { client, params } = await killedAt(failpoint);
    await eventually(async () => {
      const order = await client.call('GET /api/billing/orders/:orderId', { params });
      expect(order).toMatchObject({ state: 'confirmed', raised: { before: 5, after: 8 } });
    }, 'the order should know its seats');
    expect((await client.call('GET /api/org/seats')).limit).toBe(8);
    expect((await client.call('GET /api/billing/invoices')).items).toHaveLength(1);
    await eventually(async () => {
      const { items } = await client.call('GET /api/org/audit');
      const acts = items.map(({ act, changes }) => {
        const limit = changes.find(({ field }) => field === 'seatLimit')?.after;
        return act === 'organisation.seat-limit-changed' && limit?.kind === 'count' ? `${act} ${limit.count}` : act;
      });
      expect(acts.filter((act) => /order|invoice|seat-limit/.test(act)).toSorted()).toEqual([
        'invoice.issued',
        'order.confirmed',
        'order.placed',
        'organisation.seat-limit-changed 5',
        'organisation.seat-limit-changed 8',
      ]);
    }, 'each act should stand in the audit log once');
  },
  120_000,
);
