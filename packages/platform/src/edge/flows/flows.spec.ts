import { beforeAll, expect, test } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { Flows } from './flows.ts';
import { newId } from '../../base/ids/index.ts';
import { jobScope } from '../../rows/mongo/index.ts';
import type { Platform } from '../service/index.ts';
import { job } from '../../events/work/index.ts';
import { testStore } from '@parley/testing';

const store = await testStore();
const { mongo, work, clock } = store;
const [here, elsewhere] = [0, 1].map(() => new Flows(mongo, clock, {} as Platform)) as [Flows, Flows];
beforeAll(store.ready);
const scope = jobScope('tests');
const tell = (orgId: OrgId, flow: OrgId | ReturnType<typeof newId<'user'>>, rightsVersion: number) =>
  work.run(job('tests'), (tx) => here.keep(scope.in(orgId), { orgId, flow, rightsVersion }, tx));

test('an organisation has a flow of its own until org says otherwise, in every process', async () => {
  const [first, second, third] = [newId('organisation'), newId('organisation'), newId('organisation')];
  const person = newId('user');
  expect(here.of(first)).toBe(first);
  await tell(first, person, 1);
  await tell(second, person, 1);
  for (const flows of [here, elsewhere]) {
    await flows.look();
    expect([first, second, third].map((orgId) => flows.of(orgId))).toEqual([person, person, third]);
    expect(new Set(flows.usersOf([person, third]))).toEqual(new Set([first, second, third]));
  }
  await tell(first, first, 2);
  await elsewhere.look();
  expect([elsewhere.of(first), elsewhere.usersOf([first]), elsewhere.usersOf([person])]).toEqual([
    first,
    [first],
    [second],
  ]);
});

test('what comes late, or twice, changes nothing', async () => {
  const [orgId, person] = [newId('organisation'), newId('user')];
  await tell(orgId, orgId, 5);
  await tell(orgId, person, 4);
  await tell(orgId, person, 5);
  await here.look();
  expect(here.of(orgId)).toBe(orgId);
});
