import type { Budget } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { OrgId, UserId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { SpentBefore } from '../entries/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { RatesRepository } from '../rates/index.ts';
import { BudgetRequests } from './budget-requests.repository.ts';
import { BudgetSheets } from './budget-sheets.repository.ts';
import { BudgetsService } from './budgets.service.ts';
import { MyBudgetsService } from './my-budgets.service.ts';
import { BudgetSettlement } from './settlement.service.ts';

export const tests = jobScope('tests');
export const admin = aPerson();

/** Budgets on a store of their own; org says what `facts` holds. */
export async function budgetBench() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const facts = { timeZone: 'UTC', items: [] as { userId?: UserId; name: string }[] };
  const platform = { peers: { call: async () => facts } } as unknown as Platform;
  const requests = new BudgetRequests(mongo);
  const rates = new RatesRepository(mongo);
  const sheets = new BudgetSheets(mongo, rates);
  const spentBefore = new SpentBefore(mongo);
  const budgets = new BudgetsService(
    sheets,
    requests,
    rates,
    new OrganisationCalls(platform),
    spentBefore,
    work,
    clock,
  );
  const mine = new MyBudgetsService(budgets, requests, rates, spentBefore, platform, work, clock);
  const settlement = new BudgetSettlement(sheets, clock, new OrganisationCalls(platform));

  const newBudget = (orgId: OrgId, more: object = {}): Promise<Budget> => {
    const scope = { kind: 'organisation' };
    const body = { id: newId('budget'), scope, period: 'month', unit: 'tokens', softLimit: null, hardLimit: null };
    return budgets.create({ scope: tests.in(orgId), principal: admin, body: { ...body, ...more } } as never);
  };
  const change = (orgId: OrgId, { id, version }: Budget, limits: object): Promise<Budget> =>
    budgets.change({
      scope: tests.in(orgId),
      principal: admin,
      params: { budgetId: id },
      body: { version, ...limits },
    } as never);
  const newPrice = (model: string, prices: object = {}): Promise<void> => {
    const row = {
      _id: newId('rate'),
      host: null,
      model,
      sortName: model,
      words: [],
      inputMicros: 1_000_000,
      outputMicros: 1_000_000,
      cachedMicros: 1_000_000,
      validFrom: clock.now(),
      validUntil: null,
      by: { userId: newId('user'), name: 'Greta Solvain' },
      endedBy: null,
      version: 1,
      ...prices,
    };
    return work.run(job('tests'), async (tx) => {
      await rates.hold(tests, 'EUR', tx);
      await rates.apply(tests, { plan: { added: [row], ended: [], unchanged: 0, faults: [] }, by: admin }, tx);
    });
  };
  return { ...store, facts, sheets, requests, rates, budgets, mine, settlement, newBudget, change, newPrice };
}
