import { beforeAll, expect, test } from '@jest/globals';
import type { BudgetScope, ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import { HardLimits, isBounded } from './hard-limits.ts';

const { mongo, work, clock, ready } = await testStore();
const limits = new HardLimits(mongo, { isAlone: true } as Platform, clock);
const tests = jobScope('tests');
beforeAll(ready);

test('whom a hard limit counts is known as long as there is one, and in its organisation only', async () => {
  const [orgId, other] = [newId('organisation'), newId('organisation')];
  const [budgetId, groupId, userId] = [newId('budget'), newId('group'), newId('user')];
  const scope: BudgetScope = { kind: 'group', id: groupId };
  const told = (version: number, hasHardLimit: boolean) =>
    work.run(job('tests'), (tx) =>
      limits.keep(tests.in(orgId), { orgId, budgetId, version, change: 'updated', scope, hasHardLimit }, tx),
    );
  const counts = async (groupIds: string[], where = orgId) =>
    isBounded(await limits.list(tests.in(where)), { userId, groupIds, model: 'prv/m' as ModelKey, chatbotId: null });
  expect(await counts([groupId])).toBe(false);
  for (const version of [1, 2]) await told(version, true);
  expect([await counts([groupId]), await counts([]), await counts([groupId], other)]).toEqual([true, false, false]);
  await told(3, false);
  expect(await counts([groupId])).toBe(false);
});

test('the store is asked for organisations only that may have one; what another process was told counts two seconds later, however long its own look takes', async () => {
  const orgId = newId('organisation');
  const other = new HardLimits(mongo, { isAlone: false } as Platform, clock);
  await other.reload();
  const told = { orgId, budgetId: newId('budget'), version: 1, change: 'created', hasHardLimit: true } as const;
  const scope: BudgetScope = { kind: 'organisation' };
  await work.run(job('tests'), (tx) => limits.keep(tests.in(orgId), { ...told, scope }, tx));
  expect(await other.list(tests.in(orgId))).toEqual([]);
  clock.advance(2_000);
  expect(await other.list(tests.in(orgId))).toEqual([scope]);
  expect(await other.list(tests.in(newId('organisation')))).toEqual([]);
});
