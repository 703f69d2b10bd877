import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { ledgerEntryRows } from '../entries/index.ts';
import { asked, attempt, ledgerBench, tests } from './ledger.spec-setup.ts';

const { mongo, work, clock, ready, ledger, sheets, append, priceOf } = await ledgerBench();
beforeAll(ready);

describe('under a budget', () => {
  const budgeted = async (orgId: OrgId) => {
    const { budgetId, total } = { budgetId: newId('budget'), total: 100_000 };
    await work.run(job('tests'), async (tx) => {
      const before = await sheets.create(tests.in(orgId), 'UTC', tx);
      const counted = {
        id: budgetId,
        scope: { kind: 'organisation' as const },
        period: 'month' as const,
        unit: 'tokens' as const,
        softLimit: null,
        hardLimit: total,
        version: 1,
        spent: 0,
        periodStart: '2026-11-01',
        countsFrom: new Date('2026-11-01T00:00:00Z'),
        resetsAt: new Date('2026-12-01T00:00:00Z'),
        told: [],
      };
      await sheets.write(tests.in(orgId), tx, { before, after: { ...before, budgets: [counted] } });
    });
    return async () => (await sheets.read(tests.in(orgId)))?.budgets[0]?.spent;
  };

  test('an attempt counts once, however often its event comes', async () => {
    const orgId = newId('organisation');
    const spent = await budgeted(orgId);
    const ended = attempt();
    for (const _ of [1, 2]) await append(orgId, ended);
    expect(await spent()).toBe(7);
  });

  test('a refused attempt has no entry, and frees its reservation', async () => {
    const orgId = newId('organisation');
    await budgeted(orgId);
    const refused = attempt({ outcome: 'failed', isRefused: true, inputTokens: 0, outputTokens: 0 });
    const id = `${refused.generationId}:1`;
    await work.run(job('tests'), async (tx) => {
      const before = (await sheets.read(tests.in(orgId), tx))!;
      const budgetIds = before.budgets.map((budget) => budget.id);
      const reservation = { id, costMicros: 0, tokens: 1_000, budgetIds, leaseUntil: clock.now() };
      await sheets.write(tests.in(orgId), tx, { before, after: { ...before, reservations: [reservation] } });
    });
    for (const _ of [1, 2]) await append(orgId, refused);
    expect(await mongo.rows(ledgerEntryRows).within(tests.in(orgId)).find({})).toEqual([]);
    expect(await sheets.read(tests.in(orgId))).toMatchObject({ reservations: [], budgets: [{ spent: 0 }] });
  });

  test('my answers say what they have cost, all attempts together, and by how much they passed what was reserved', async () => {
    const orgId = newId('organisation');
    await budgeted(orgId);
    await priceOf('mine');
    const me = aPerson();
    const ended = attempt(asked('mine', { userId: me.userId }));
    const id = `${ended.generationId}:1`;
    await work.run(job('tests'), async (tx) => {
      const before = (await sheets.read(tests.in(orgId), tx))!;
      const budgetIds = before.budgets.map((budget) => budget.id);
      const reservation = { id, costMicros: 2_000, tokens: 1_000, budgetIds, leaseUntil: clock.now() };
      await sheets.write(tests.in(orgId), tx, { before, after: { ...before, reservations: [reservation] } });
    });
    for (const number of [1, 2]) await append(orgId, { ...ended, attempt: number });
    await append(orgId, attempt({ conversationId: ended.conversationId }));
    const query = { conversationId: ended.conversationId };
    const { items } = await ledger.myAnswers({ scope: tests.in(orgId), principal: me, query } as never);
    const excess = { costMicros: 900, tokens: 100 };
    expect(items).toEqual([{ generationId: ended.generationId, costMicros: 5_800, currency: 'EUR', excess }]);
  });
});
