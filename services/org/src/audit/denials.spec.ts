import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';

const setup = await orgSetup();
const { audit } = setup;

test('what was refused is one entry with its count, however often it is told', async () => {
  const [one, other] = [await founded(setup), await founded(setup)];
  const time = '2026-11-21T10:42:00.000Z';
  const denial = (orgId: string) => ({ orgId, userId: newId('user'), name: 'Noa', at: time, count: 12 });
  const items = [
    { id: newId('auditEntry'), route: 'GET /api/org/audit', ...denial(one.orgId) },
    { id: newId('auditEntry'), route: 'PATCH /api/org/organisations/:orgId', ...denial(other.orgId) },
  ];
  const principal = { kind: 'service', service: 'bff' };
  for (let turn = 0; turn < 2; turn += 1)
    await audit.noteDenials({ scope: tests, principal, body: { items } } as never);
  const { items: entries } = await audit.list(asked(one.owner, { query: { limit: 50, act: 'access.denied' } }));
  expect(entries).toMatchObject([
    {
      id: items[0]!.id,
      actor: { name: 'Noa' },
      target: { of: 'route', name: 'GET /api/org/audit' },
      count: 12,
      at: time,
    },
  ]);
});
