import { beforeAll, expect, test } from '@jest/globals';
import type { BudgetScope, ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { testStore } from '@parley/testing';
import type { Reloads } from '../../reloads.ts';
import { hardLimitKeys } from './hard-limit-keys.ts';
import { hardLimitRows } from './hard-limit.collection.ts';
import { HardLimits, isBounded } from './hard-limits.ts';

const { mongo, work, clock, ready } = await testStore();
const limits = new HardLimits(mongo, { isAlone: true } as Platform, clock, {} as Reloads);
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
  const other = new HardLimits(mongo, { isAlone: false } as Platform, clock, {} as Reloads);
  await other.reload();
  const told = { orgId, budgetId: newId('budget'), version: 1, change: 'created', hasHardLimit: true } as const;
  const scope: BudgetScope = { kind: 'organisation' };
  await work.run(job('tests'), (tx) => limits.keep(tests.in(orgId), { ...told, scope }, tx));
  expect(await other.list(tests.in(orgId))).toEqual([]);
  clock.advance(2_000);
  expect(await other.list(tests.in(orgId))).toEqual([scope]);
  expect(await other.list(tests.in(newId('organisation')))).toEqual([]);
});

test('two organisations have hard limits on budgets of the same id', async () => {
  const [orgId, other, budgetId] = [newId('organisation'), newId('organisation'), newId('budget')];
  const scope: BudgetScope = { kind: 'organisation' };
  const keep = (of: typeof orgId, hasHardLimit: boolean) =>
    work.run(job('tests'), (tx) =>
      limits.keep(tests.in(of), { orgId: of, budgetId, version: 1, change: 'updated', scope, hasHardLimit }, tx),
    );
  await keep(other, true);
  await keep(orgId, true);
  await keep(other, false);
  expect([await limits.list(tests.in(orgId)), await limits.list(tests.in(other))]).toEqual([[scope], []]);
});

test('limits of an earlier version get a key of their organisation, and are found and removed before and after', async () => {
  const rows = mongo.rows(hardLimitRows).within(tests);
  const old = Array.from({ length: 120 }, () => ({ orgId: newId('organisation'), budgetId: newId('budget') }));
  const scope: BudgetScope = { kind: 'organisation' };
  await rows.insertMany(old.map(({ orgId, budgetId }) => ({ _id: budgetId, orgId, scope, version: 1 })));
  const [gone, kept] = old as [(typeof old)[0], (typeof old)[0]];
  await work.run(job('tests'), (tx) =>
    limits.keep(tests.in(gone.orgId), { ...gone, version: 2, change: 'updated', scope, hasHardLimit: false }, tx),
  );
  const run = async () => {
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null; isFirst = false)
      cursor = await hardLimitKeys.batch(mongo, cursor);
  };
  // A batch may run twice.
  await hardLimitKeys.batch(mongo, null);
  await run();
  const found = await rows.find({ orgId: { $in: old.map(({ orgId }) => orgId) } });
  const expected = old.slice(1).map(({ orgId, budgetId }) => `${orgId}/${budgetId}`);
  expect(found.map(({ _id }) => _id).toSorted()).toEqual(expected.toSorted());
  await limits.reload();
  expect(await limits.list(tests.in(kept.orgId))).toEqual([scope]);
});
