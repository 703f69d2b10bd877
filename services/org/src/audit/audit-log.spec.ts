import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { ProviderActsConsumer } from './provider-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const time = '2026-11-21T10:42:00.000Z';

test('what was refused is one entry with its count, however often it is told', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  const denial = (orgId: string) => ({ orgId, userId: newId('user'), name: 'Noa', at: time, count: 12 });
  const items = [
    { id: newId('auditEntry'), route: 'GET /api/org/audit', ...denial(one.orgId) },
    { id: newId('auditEntry'), route: 'PATCH /api/org/organisations/:orgId', ...denial(other.orgId) },
  ];
  for (let time = 0; time < 2; time += 1) await audit.noteDenials({ scope: tests, body: { items } } as never);
  const { items: entries } = await audit.list(asked(one.owner, { query: { limit: 50, act: 'access.denied' } }));
  expect(entries).toHaveLength(1);
  expect(entries[0]).toMatchObject({
    actor: { name: 'Noa' },
    target: { name: 'GET /api/org/audit' },
    count: 12,
    at: time,
  });
});

test('what is done with model servers is written down, their keys never', async () => {
  const { orgId, owner } = await founded(setup);
  const consumer = new ProviderActsConsumer(audit, people);
  const providerId = newId('provider');
  const local = { name: 'Local', host: 'models.example', models: ['m'] };
  const moved = { ...local, host: 'other.example' };
  const tell = (data: object) =>
    work.run(owner, (tx) =>
      consumer.writeProvider(
        { data: { orgId, providerId, by: owner.userId, ...data }, time } as never,
        { tx, scope: tests.in(orgId) } as never,
      ),
    );
  await tell({ before: null, after: local, isKeyChanged: true });
  await tell({ before: local, after: moved, isKeyChanged: false });
  await tell({ before: moved, after: null, isKeyChanged: true });
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: providerId } }));
  expect(items.map(({ act, before, after }) => [act, before, after])).toEqual([
    ['provider.removed', moved, null],
    ['provider.changed', local, moved],
    ['provider.added', null, { ...local, key: 'given' }],
  ]);
  expect(new Set(items.map(({ count }) => count))).toEqual(new Set([1]));
});
