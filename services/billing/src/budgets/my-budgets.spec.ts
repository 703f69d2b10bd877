import { beforeAll, describe, expect, test } from '@jest/globals';
import { fewestShown, type GroupId, type Permission, type PersonPrincipal } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { spendDayRows } from '../entries/index.ts';
import { budgetBench, tests } from './budgets.spec-setup.ts';

const bench = await budgetBench();
const { mongo, work, clock, mine, facts, newBudget } = bench;
beforeAll(bench.ready);
beforeAll(() => bench.newPrice('gpt'));

const somebody = (orgId: OrgId, groupIds: GroupId[] = [], permissions: Permission[] = []): PersonPrincipal =>
  aPerson({ organisation: { orgId, permissions, rightsVersion: 1, groupIds } });
const itemsOf = async (orgId: OrgId, principal: PersonPrincipal) =>
  (await mine.list({ scope: tests.in(orgId), principal } as never)).items;
const use = (orgId: OrgId, amount: { costMicros: number; tokens: number }, more: object = {}) =>
  work.run(job('tests'), (tx) => {
    const use = { userId: newId('user'), groupIds: [], model: 'm', chatbotId: null, ...more };
    return bench.settlement.settle(tests.in(orgId), { id: newId('generation'), use, amount, at: clock.now() }, tx);
  });
const hidden = { softLimit: null, hardLimit: null, spent: null, held: null };

describe('the amounts of a budget', () => {
  test('are for whom it is alone; of others everybody gets the share, whoever may read budgets all of it', async () => {
    const orgId = newId('organisation');
    const group = newId('group');
    const me = somebody(orgId, [group]);
    const limits = { softLimit: 50, hardLimit: 100 };
    await newBudget(orgId, { ...limits, scope: { kind: 'person', id: me.userId } });
    await newBudget(orgId, limits);
    await newBudget(orgId, { ...limits, scope: { kind: 'group', id: group } });
    await newBudget(orgId, { ...limits, scope: { kind: 'model', id: 'builtin' } });
    await newBudget(orgId, { ...limits, scope: { kind: 'chatbot', id: newId('chatbot'), name: 'Herons' } });
    await use(orgId, { costMicros: 0, tokens: 60 });
    const seen = new Map((await itemsOf(orgId, me)).map((item) => [item.scope.kind, item]));
    const share = { stops: true, isUsedUp: false };
    expect(seen.get('person')).toMatchObject({ ...limits, spent: 0, held: 0, share: { ...share, usedPercent: 0 } });
    expect(seen.get('organisation')).toMatchObject({ ...hidden, share: { ...share, usedPercent: 60, isWarned: true } });
    for (const kind of ['group', 'model', 'chatbot'] as const) expect(seen.get(kind)).toMatchObject(hidden);
    // Not all chatbots are for everybody: whoever can use one knows its name from chat.
    expect(JSON.stringify([...seen.values()])).not.toContain('Herons');
    expect(JSON.stringify([...seen.values()].filter(({ scope }) => scope.kind !== 'person'))).not.toMatch(
      /:(?:50|100)\b/,
    );

    const userIds = Array.from({ length: fewestShown }, () => newId('user'));
    Object.assign(facts, { items: [{ id: group, name: 'Research', userIds }] });
    const reader = somebody(orgId, [group], ['budget:read']);
    const all = (await itemsOf(orgId, reader)).map(
      ({ scope, hardLimit, spent }) => `${scope.kind} ${hardLimit} ${spent}`,
    );
    expect(new Set(all)).toEqual(new Set(['chatbot 100 0', 'group 100 0', 'model 100 0', 'organisation 100 60']));
    Object.assign(facts, { items: [{ id: group, name: 'Research', userIds: userIds.slice(1) }] });
    const ofFew = (await itemsOf(orgId, reader)).find(({ scope }) => scope.kind === 'group');
    expect(ofFew).toMatchObject(hidden);
    facts.items = [];
  });

  test('stay hidden from whoever asks for more without naming one', async () => {
    const orgId = newId('organisation');
    const { id: budgetId } = await newBudget(orgId, { hardLimit: 1_234 });
    const ask = (principal: PersonPrincipal) =>
      mine.ask({ scope: tests.in(orgId), principal, body: { budgetId } } as never);
    expect(await ask(somebody(orgId))).toMatchObject({ budgetId, amount: null });
    expect(await ask(somebody(orgId, [], ['budget:read']))).toMatchObject({ budgetId, amount: 500 });
  });
});

describe('the order of my budgets', () => {
  const money = { unit: 'money', hardLimit: 50_000_000 };

  test('begins with the one of which the least is left, whatever its share; those that stop nothing come last', async () => {
    const orgId = newId('organisation');
    const me = somebody(orgId);
    await newBudget(orgId, { softLimit: 1, unit: 'money', period: 'day' });
    await newBudget(orgId, money);
    await newBudget(orgId, { ...money, hardLimit: 1_100_000, scope: { kind: 'person', id: me.userId } });
    await use(orgId, { costMicros: 40_000_000, tokens: 1 });
    expect((await itemsOf(orgId, me)).map(({ scope, period }) => `${scope.kind} ${period}`)).toEqual([
      'person month',
      'organisation month',
      'organisation day',
    ]);
  });

  test('compares tokens with money by what a token has cost, and by shares while nothing has', async () => {
    const orgId = newId('organisation');
    const me = somebody(orgId);
    const own = { kind: 'person', id: me.userId };
    await newBudget(orgId, { ...money, hardLimit: 10_000_000 });
    await newBudget(orgId, { hardLimit: 1_000_000, scope: own });
    await use(orgId, { costMicros: 5_000_000, tokens: 100_000 }, { userId: me.userId });
    const kinds = async () => (await itemsOf(orgId, me)).map(({ scope }) => scope.kind);
    expect(await kinds()).toEqual(['organisation', 'person']);
    // 4 micro-units a token: what is left of the tokens is worth 3,600,000.
    const day = clock.now().toISOString().slice(0, 10);
    const spent = { attempts: 1, unpricedAttempts: 0, inputTokens: 900, outputTokens: 100, costMicros: 4_000 };
    const row = {
      _id: `${orgId}/${day}/m`,
      orgId,
      day,
      model: 'm',
      host: null,
      ...spent,
      moneyMicros: 4_000,
      utcMicros: 0,
    };
    await mongo.rows(spendDayRows).within(tests.in(orgId)).insert(row);
    expect(await kinds()).toEqual(['person', 'organisation']);
  });
});
