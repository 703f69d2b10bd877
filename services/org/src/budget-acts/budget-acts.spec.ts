import { expect, test } from '@jest/globals';
import type { BudgetScope } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { GroupsRepository } from '../groups/index.ts';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { BudgetActsConsumer } from './budget-acts.consumer.ts';

const setup = await orgSetup();
const { audit, groups, memberships, mongo, people, work } = setup;
const consumer = new BudgetActsConsumer(audit, people, new GroupsRepository(mongo, memberships), memberships);
const time = '2026-11-21T10:42:00.000Z';
const limits = (hardLimit: number) => ({ unit: 'tokens', period: 'month', softLimit: null, hardLimit });

test('what is done with budgets stands in the audit log: whose, by whom, before and after', async () => {
  const { orgId, owner } = await founded(setup);
  const groupId = newId('group');
  await groups.create(asked(owner, { body: { id: groupId, name: 'Grid control' } }));
  const tell = (scope: BudgetScope, parts: object, snapshot?: true) =>
    work.run(owner, (tx) =>
      consumer.write(
        { data: { orgId, scope, by: owner.userId, ...parts }, time, snapshot } as never,
        { tx, scope: tests.in(orgId) } as never,
      ),
    );
  await tell({ kind: 'group', id: groupId }, { before: null, after: limits(5) });
  await tell({ kind: 'person', id: owner.userId }, { before: limits(5), after: limits(7) });
  const stranger = newId('user');
  await tell({ kind: 'person', id: stranger }, { before: null, after: limits(9) });
  await tell({ kind: 'model', id: `prv_${'0'.repeat(26)}/atlas` as never }, { before: limits(7), after: null });
  await tell({ kind: 'organisation' }, { before: limits(7), after: limits(8) });
  await tell({ kind: 'organisation' }, { before: limits(7), after: limits(8) }, true);
  await tell({ kind: 'organisation' }, { by: undefined });
  const { items } = await audit.list(asked(owner, { query: { limit: 50 } }));
  const { name } = await people.find(owner.userId);
  expect(items.slice(0, 5).map(({ act, target, before, after }) => [act, target.name, before, after])).toEqual([
    ['budget.changed', expect.any(String), limits(7), limits(8)],
    ['budget.deleted', 'atlas', limits(7), null],
    ['budget.created', stranger, null, limits(9)],
    ['budget.changed', name, limits(5), limits(7)],
    ['budget.created', 'Grid control', null, limits(5)],
  ]);
  expect(items[0]).toMatchObject({ at: time, actor: { userId: owner.userId, name }, target: { id: orgId } });
});
