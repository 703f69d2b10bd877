import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { ConnectionActsConsumer } from './connection-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new ConnectionActsConsumer(audit, people);
const time = '2026-11-24T04:20:00.000Z';

test('who made a connection, who may read it and who deleted it stands in the audit log', async () => {
  const { orgId, owner } = await founded(setup);
  const connectionId = newId('connection');
  const everybody = { kind: 'everybody' as const };
  const some = { kind: 'some' as const, roles: ['analyst' as const], groupIds: [], userIds: [] };
  const told = { orgId, connectionId, by: owner.userId, name: 'Wiki', source: 'web' };
  for (const data of [
    { ...told, change: 'created', before: null, after: everybody },
    { ...told, change: 'changed', before: everybody, after: some },
    { ...told, change: 'deleted', before: some, after: null },
  ])
    await work.run(owner, (tx) => consumer.write({ data, time } as never, { tx, scope: tests.in(orgId) } as never));
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: connectionId } }));
  expect(items.map(({ act, before, after }) => [act, before, after])).toEqual([
    ['connection.deleted', { source: 'web', readers: some }, null],
    ['connection.changed', { source: 'web', readers: everybody }, { source: 'web', readers: some }],
    ['connection.created', null, { source: 'web', readers: everybody }],
  ]);
  expect(items[0]).toMatchObject({ at: time, actor: { userId: owner.userId }, target: { name: 'Wiki' } });
});

test('who looked at what another member would find stands in the audit log', async () => {
  const { orgId, owner } = await founded(setup);
  const data = { orgId, by: owner.userId, userId: owner.userId };
  await work.run(owner, (tx) => consumer.writeTested({ data, time } as never, { tx, scope: tests.in(orgId) } as never));
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: owner.userId } }));
  expect(items).toContainEqual(expect.objectContaining({ act: 'search.tested-as', at: time }));
});
