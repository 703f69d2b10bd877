import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  budgetChanged,
  budgetRaiseRequested,
  budgetRequestDismissed,
  createBudget,
  quotaLimits,
  type Budget,
  type GroupId,
  type Permission,
  type PersonPrincipal,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { aPerson, describeCountedQuota } from '@parley/testing';
import { budgetQuota } from './budget-quota.ts';
import { admin, budgetBench, tests } from './budgets.spec-setup.ts';
import { MyBudgetsService } from './my-budgets.service.ts';

const bench = await budgetBench();
const { work, clock, budgets, mine, facts, newBudget, change, recorded } = bench;
beforeAll(bench.ready);

const list = (orgId: OrgId, principal = admin) => budgets.list({ scope: tests.in(orgId), principal } as never);
const remove = (orgId: OrgId, { id }: Budget) =>
  budgets.delete({ scope: tests.in(orgId), principal: admin, params: { budgetId: id } } as never);
const toldOf = async (orgId: OrgId, type: string) =>
  (await recorded()).filter((event) => event.type === type && event.subject === orgId).map(({ data }) => data);
const somebody = (orgId: OrgId, groupIds: GroupId[] = []): PersonPrincipal =>
  aPerson({ organisation: { orgId, permissions: [], rightsVersion: 1, groupIds } });
const myBudgets = (orgId: OrgId, principal: PersonPrincipal, by: MyBudgetsService = mine) =>
  by.list({ scope: tests.in(orgId), principal } as never);
const use = (orgId: OrgId, tokens: number, more: object = {}) =>
  work.run(job('tests'), (tx) =>
    bench.settlement.settle(
      tests.in(orgId),
      {
        id: newId('generation'),
        use: { userId: newId('user'), groupIds: [], model: 'm', chatbotId: null, ...more },
        amount: { costMicros: 0, tokens },
        at: clock.now(),
      },
      tx,
    ),
  );

describeCountedQuota({ mongo: bench.mongo, quota: 'budgets', counted: [budgetQuota] }, async () => {
  const orgId = newId('organisation');
  const make = () => newBudget(orgId, { hardLimit: 1, scope: { kind: 'person', id: newId('user') } });
  return { scope: tests.in(orgId), make, remove: (made: Budget) => remove(orgId, made) };
});

describe('a budget', () => {
  test('is made once, counted from then on, and told', async () => {
    const orgId = newId('organisation');
    const id = newId('budget');
    const made = await newBudget(orgId, { id, softLimit: 80, hardLimit: 100 });
    expect(await newBudget(orgId, { id, softLimit: 80, hardLimit: 100 })).toEqual(made);
    await use(orgId, 30);
    expect((await list(orgId)).items).toEqual([{ ...made, spent: 30 }]);
    expect(made).toMatchObject({
      periodStart: '2026-11-01',
      resetsAt: '2026-12-01T00:00:00.000Z',
      held: 0,
      version: 1,
    });
    const told = { orgId, budgetId: id, version: 1, change: 'created', hasHardLimit: true };
    const after = { unit: 'tokens', period: 'month', softLimit: 80, hardLimit: 100 };
    expect(await toldOf(orgId, budgetChanged.type)).toEqual([
      { ...told, scope: { kind: 'organisation' }, by: admin.userId, before: null, after, currency: null },
    ]);
  });

  test('of the same scope, period and unit there is one, and only so many in all', async () => {
    const orgId = newId('organisation');
    await newBudget(orgId, { hardLimit: 1 });
    await expect(newBudget(orgId, { softLimit: 1 })).rejects.toMatchObject({ code: 'billing.budget-exists' });
    await newBudget(orgId, { hardLimit: 1, period: 'day' });
    const scoped = () => ({ hardLimit: 1, scope: { kind: 'person', id: newId('user') } });
    for (let count = 2; count < quotaLimits.budgets.ceiling; count += 1) await newBudget(orgId, scoped());
    await expect(newBudget(orgId, scoped())).rejects.toMatchObject({ code: 'billing.budgets-full' });
  }, 60_000);

  test('of a person is named for readers who may see members', async () => {
    const orgId = newId('organisation');
    const id = newId('user');
    facts.items = [{ userId: id, name: 'Noor Halvani' }];
    await newBudget(orgId, { hardLimit: 1, scope: { kind: 'person', id } });
    const reader = (permissions: Permission[]) =>
      aPerson({ organisation: { orgId, permissions, rightsVersion: 1, groupIds: [] } });
    expect((await list(orgId, reader(['member:read']))).people).toEqual([{ userId: id, name: 'Noor Halvani' }]);
    expect((await list(orgId, reader(['budget:read']))).people).toEqual([]);
    facts.items = [];
  });

  test('in money needs a price first', async () => {
    const orgId = newId('organisation');
    await expect(newBudget(orgId, { unit: 'money', hardLimit: 5 })).rejects.toMatchObject({
      code: 'billing.no-prices',
    });
    await bench.newPrice('gpt');
    await newBudget(orgId, { unit: 'money', hardLimit: 5 });
    expect((await list(orgId)).currency).toBe('EUR');
  });

  test('changes by the version that was seen, and keeps what it has counted', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { hardLimit: 100 });
    await use(orgId, 30);
    const changed = await change(orgId, budget, { softLimit: 20, hardLimit: null });
    expect(changed).toEqual({ ...budget, softLimit: 20, hardLimit: null, spent: 30, version: 2 });
    await expect(change(orgId, budget, { softLimit: 1, hardLimit: null })).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: changed },
    });
    expect((await toldOf(orgId, budgetChanged.type)).at(-1)).toMatchObject({ version: 2, hasHardLimit: false });
  });

  test('that is deleted counts nothing, and bounds nothing', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { hardLimit: 100 });
    await remove(orgId, budget);
    expect((await list(orgId)).items).toEqual([]);
    await expect(remove(orgId, budget)).rejects.toMatchObject({ code: 'billing.budget-not-found' });
    expect((await toldOf(orgId, budgetChanged.type)).at(-1)).toMatchObject({ change: 'deleted', hasHardLimit: false });
  });

  test("is the organisation's own", async () => {
    const [here, there] = [newId('organisation'), newId('organisation')];
    const budget = await newBudget(here, { hardLimit: 100 });
    await newBudget(there, { hardLimit: 100 });
    for (const act of [() => remove(there, budget), () => change(there, budget, { softLimit: 1, hardLimit: null })])
      await expect(act()).rejects.toMatchObject({ code: 'billing.budget-not-found' });
    await use(there, 7);
    expect((await list(here)).items[0]?.spent).toBe(0);
  });

  test('counts by a new time zone from the next period on', async () => {
    const orgId = newId('organisation');
    await newBudget(orgId, { hardLimit: 100, period: 'day' });
    facts.timeZone = 'Asia/Tokyo';
    await work.run(job('tests'), (tx) => budgets.renewTimeZone(tests.in(orgId), tx));
    const { items, timeZone } = await list(orgId);
    expect([timeZone, items[0]?.resetsAt]).toEqual(['Asia/Tokyo', '2026-11-22T00:00:00.000Z']);
    facts.timeZone = 'UTC';
  });
});

test.each([
  ['no limit at all', { softLimit: null, hardLimit: null }],
  ['a negative limit', { hardLimit: -1 }],
  ['nothing', { hardLimit: 0 }],
  ['a part of a token', { hardLimit: 1.5 }],
  ['more than can be counted', { hardLimit: 1_000_000_000_000_001 }],
  ['a number that is none', { hardLimit: Number.NaN }],
  ['a warning above the stop', { softLimit: 2, hardLimit: 1 }],
  ['a scope that is none', { hardLimit: 1, scope: { kind: 'group', id: newId('user') } }],
  ['a period that is none', { hardLimit: 1, period: 'year' }],
])('%s is refused', (_case, wrong) => {
  const right = { id: newId('budget'), scope: { kind: 'organisation' }, period: 'day', unit: 'tokens' };
  const limits = { softLimit: null, hardLimit: 1 };
  expect(createBudget.body.safeParse({ ...right, ...limits }).success).toBe(true);
  expect(createBudget.body.safeParse({ ...right, ...limits, ...wrong }).success).toBe(false);
});

describe('what I have left', () => {
  test('is that of the organisation, of my groups, of my own and of models', async () => {
    const orgId = newId('organisation');
    const group = newId('group');
    const me = somebody(orgId, [group]);
    const scopes = [
      { kind: 'organisation' },
      { kind: 'group', id: group },
      { kind: 'group', id: newId('group') },
      { kind: 'person', id: me.userId },
      { kind: 'person', id: newId('user') },
      { kind: 'model', id: 'builtin' },
    ];
    const made: Budget[] = [];
    for (const scope of scopes) made.push(await newBudget(orgId, { scope, hardLimit: 9 }));
    const seen = (await myBudgets(orgId, me)).items.map(({ id }) => made.findIndex((budget) => budget.id === id));
    expect(seen).toEqual([0, 1, 3, 5]);
  });

  test('names who can raise it once it is used up', async () => {
    const orgId = newId('organisation');
    facts.items = [{ name: 'Ines Vardale' }];
    await newBudget(orgId, { hardLimit: 100 });
    const me = somebody(orgId);
    expect((await myBudgets(orgId, me)).raisers).toEqual([]);
    await use(orgId, 100);
    expect((await myBudgets(orgId, me)).raisers).toEqual(['Ines Vardale']);
  });
});

describe('asking for more', () => {
  const ask = (orgId: OrgId, principal: PersonPrincipal, { id }: Budget, amount = 50) =>
    mine.ask({ scope: tests.in(orgId), principal, body: { budgetId: id, amount } } as never);
  const requestsOf = async (orgId: OrgId) => (await list(orgId)).requests.map(({ userId, amount }) => [userId, amount]);

  test('is one wish of a person and period, told once', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { hardLimit: 100, period: 'day' });
    const me = somebody(orgId);
    for (const amount of [50, 70]) await ask(orgId, me, budget, amount);
    expect(await requestsOf(orgId)).toEqual([[me.userId, 50]]);
    expect((await myBudgets(orgId, me)).items[0]?.hasAsked).toBe(true);
    expect(await toldOf(orgId, budgetRaiseRequested.type)).toHaveLength(1);
  });

  test('is settled by a higher hard limit, not by another one', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { hardLimit: 100 });
    const me = somebody(orgId);
    await ask(orgId, me, budget);
    const lower = await change(orgId, budget, { softLimit: null, hardLimit: 90 });
    expect(await requestsOf(orgId)).toHaveLength(1);
    await change(orgId, lower, { softLimit: null, hardLimit: 150 });
    expect(await requestsOf(orgId)).toEqual([]);
    expect((await myBudgets(orgId, me)).items[0]?.hasAsked).toBe(false);
  });

  test('may be dismissed: then nobody sees it, and it is not asked again in this period', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { hardLimit: 100 });
    const me = somebody(orgId);
    await ask(orgId, me, budget);
    const params = { budgetId: budget.id, userId: me.userId };
    for (const _time of [1, 2]) await mine.dismiss({ scope: tests.in(orgId), principal: admin, params } as never);
    await ask(orgId, me, budget);
    expect(await requestsOf(orgId)).toEqual([]);
    // The counts of others follow, once.
    expect(await toldOf(orgId, budgetRequestDismissed.type)).toHaveLength(1);
  });

  test('is counted while it waits, up to a hundred', async () => {
    const orgId = newId('organisation');
    const count = async () => (await mine.count({ scope: tests.in(orgId) } as never)).waiting;
    expect(await count()).toBe(0);
    const budget = await newBudget(orgId, { hardLimit: 100, period: 'day' });
    const first = somebody(orgId);
    await ask(orgId, first, budget);
    await ask(orgId, somebody(orgId), budget);
    expect(await count()).toBe(2);
    const params = { budgetId: budget.id, userId: first.userId };
    await mine.dismiss({ scope: tests.in(orgId), principal: admin, params } as never);
    expect(await count()).toBe(1);
    for (let more = 0; more < 101; more += 1) await ask(orgId, somebody(orgId), budget);
    expect(await count()).toBe(100);
    clock.advance(86_400_000);
    expect(await count()).toBe(0);
  });

  test('is over with its period', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { hardLimit: 100, period: 'day' });
    const me = somebody(orgId);
    await ask(orgId, me, budget);
    clock.advance(86_400_000);
    expect(await requestsOf(orgId)).toEqual([]);
    await ask(orgId, me, budget, 20);
    expect(await requestsOf(orgId)).toEqual([[me.userId, 20]]);
  });

  test('is for a budget that counts what I use', async () => {
    const orgId = newId('organisation');
    const budget = await newBudget(orgId, { scope: { kind: 'person', id: newId('user') }, hardLimit: 100 });
    await expect(ask(orgId, somebody(orgId), budget)).rejects.toMatchObject({ code: 'billing.budget-not-found' });
  });
});

test('two admins at once make both of their budgets', async () => {
  const orgId = newId('organisation');
  await Promise.all(['day', 'week', 'month'].map((period) => newBudget(orgId, { period, hardLimit: 5 })));
  expect((await list(orgId)).items).toHaveLength(3);
});
