import { beforeAll, expect, test } from '@jest/globals';
import { unapprovedFlow } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { Flows } from './flows.ts';
import { newId } from '../../base/ids/index.ts';
import { jobScope } from '../../rows/mongo/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import type { Platform } from '../service/index.ts';
import { job } from '../../events/work/index.ts';
import { eventually, silentLogger, testStore } from '@parley/testing';

const store = await testStore();
const { mongo, work, clock } = store;
const doorbell = new MemoryDoorbell();
const platform = { deployable: 'chat', doorbell, logger: silentLogger() } as unknown as Platform;
const [here, elsewhere] = [0, 1].map(() => new Flows(mongo, clock, platform)) as [Flows, Flows];
beforeAll(store.ready);
const scope = jobScope('tests');
const tell = (orgId: OrgId, flow: string, rightsVersion: number) =>
  work.run(job('tests'), (tx) => here.keep(scope.in(orgId), { orgId, flow, rightsVersion }, tx));

test('organisations share one flow until org says that one is approved, in every process', async () => {
  const [approved, told, untold] = [newId('organisation'), newId('organisation'), newId('organisation')];
  expect(here.of(approved)).toBe(unapprovedFlow);
  await tell(approved, approved, 1);
  await tell(told, unapprovedFlow, 1);
  for (const flows of [here, elsewhere]) {
    await flows.look();
    expect([approved, told, untold].map((orgId) => flows.of(orgId))).toEqual([
      approved,
      unapprovedFlow,
      unapprovedFlow,
    ]);
    expect([flows.except([approved]), flows.except([unapprovedFlow])]).toEqual([
      { $nin: [approved] },
      { $in: [approved] },
    ]);
    expect(flows.except([unapprovedFlow, approved])).toEqual({ $in: [] });
  }
  await tell(approved, unapprovedFlow, 2);
  await elsewhere.look();
  expect([elsewhere.of(approved), elsewhere.except([unapprovedFlow])]).toEqual([unapprovedFlow, { $in: [] }]);
});

test('a copy of an earlier version that names a person or another organisation means the shared flow', async () => {
  const [first, second] = [newId('organisation'), newId('organisation')];
  await tell(first, newId('user'), 1);
  await tell(second, first, 1);
  await here.look();
  expect([here.of(first), here.of(second)]).toEqual([unapprovedFlow, unapprovedFlow]);
});

test('a late or repeated event doesn’t change the flow of an organisation', async () => {
  const orgId = newId('organisation');
  await tell(orgId, orgId, 5);
  await tell(orgId, unapprovedFlow, 4);
  await tell(orgId, unapprovedFlow, 5);
  await here.look();
  expect(here.of(orgId)).toBe(orgId);
});

test('a ring makes another process read a newly approved flow', async () => {
  const approved = newId('organisation');
  await elsewhere.onModuleInit();
  await tell(approved, approved, 1);
  await eventually(() => elsewhere.of(approved) === approved, 'the other process knows of the flow');
  await elsewhere.onModuleDestroy();
});
