import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { asked, founded, inRole, orgSetup, tests } from '../org.spec-setup.ts';
import { SeatOrdersConsumer } from './seat-orders.consumer.ts';

const setup = await orgSetup();
const { mongo, memberships, audit, all, approvals, work, clock, recorded } = setup;
const platform = { failpoint: async () => {} } as unknown as Platform;
const consumer = new SeatOrdersConsumer(mongo, memberships, approvals, platform);
const admin = aPerson({ name: 'Greta Solvain', platformRole: 'admin' });

const call = (params: object, body?: object) => ({ scope: tests, principal: admin, params, body }) as never;
const read = (orgId: OrgId) => all.read(call({ orgId }));
async function limited(seatLimit: number | null): Promise<OrgId> {
  const { orgId } = await founded(setup);
  await all.changeApproval(call({ orgId }, { isApproved: true }));
  await all.changeSeatLimit(call({ orgId }, { version: (await read(orgId)).version, seatLimit }));
  return orgId;
}
async function confirm(orgId: OrgId, seats: number) {
  const data = { orgId, orderId: newId('order'), seats, by: admin.userId };
  const event = { data, time: clock.now().toISOString() };
  await work.run(job('tests'), (tx) => consumer.raiseLimit(event as never, { scope: tests.in(orgId), tx } as never));
  return data;
}
const told = async (orgId: OrgId, type: string) =>
  (await recorded()).filter((event) => event.type === type && event.subject === orgId).map(({ data }) => data);

test('the limit rises by the seats of a confirmed order, which is written down and told', async () => {
  const orgId = await limited(500);
  const { version } = await read(orgId);
  const { orderId } = await confirm(orgId, 100);
  expect(await read(orgId)).toMatchObject({ seatLimit: 600, version: version + 1 });
  expect(await told(orgId, 'org.seats-raised.v1')).toEqual([{ orgId, orderId, before: 500, after: 600 }]);
  expect((await told(orgId, 'org.updated.v1')).at(-1)).toMatchObject({ orgId, version: version + 1 });
  const { items } = await audit.list(asked(inRole(orgId, 'owner'), { query: { limit: 1 } }));
  expect(items).toMatchObject([
    {
      act: 'organisation.seat-limit-changed',
      actor: { userId: admin.userId, isPlatformAdmin: true },
      changes: [{ field: 'seatLimit', before: { kind: 'count', count: 500 }, after: { kind: 'count', count: 600 } }],
    },
  ]);
});

test('a confirmed order approves the organisation, which is audited as the act of who confirmed it', async () => {
  const { orgId } = await founded(setup);
  await confirm(orgId, 100);
  expect(await read(orgId)).toMatchObject({ approval: 'approved' });
  expect(await told(orgId, 'org.flow-changed.v1')).toContainEqual(expect.objectContaining({ flow: orgId }));
  const { items } = await audit.list(asked(inRole(orgId, 'owner'), { query: { limit: 1 } }));
  expect(items).toMatchObject([{ act: 'own-flow.turned-on', actor: { userId: admin.userId } }]);
  const { version } = await read(orgId);
  await confirm(orgId, 100);
  expect((await read(orgId)).version).toBe(version);
});

test('no limit stays none, and the order hears of it', async () => {
  const orgId = await limited(null);
  const { orderId } = await confirm(orgId, 100);
  expect((await read(orgId)).seatLimit).toBeNull();
  expect(await told(orgId, 'org.seats-raised.v1')).toEqual([{ orgId, orderId, before: null, after: null }]);
});
