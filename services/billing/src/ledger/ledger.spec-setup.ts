import type { generationAttemptEnded } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { DataOf, EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson, testStore } from '@parley/testing';
import { BudgetSettlement, BudgetSheets } from '../budgets/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { RatesRepository } from '../rates/index.ts';
import { LedgerService } from './ledger.service.ts';

export const tests = jobScope('tests');

type Ended = DataOf<typeof generationAttemptEnded>;
export const attempt = (data: Partial<Ended> = {}) => ({
  conversationId: newId('conversation'),
  generationId: newId('generation'),
  attempt: 1,
  userId: newId('user'),
  model: 'builtin',
  inputTokens: 3,
  outputTokens: 4,
  estimated: true,
  outcome: 'done' as const,
  ...data,
});

export const asked = (model: string, more: object = {}) => ({
  model: `prv_1/${model}`,
  upstream: { host: 'api.example.com', model },
  inputTokens: 1_000,
  outputTokens: 100,
  cachedTokens: 400,
  ...more,
});

/** The ledger on a store of its own. */
export async function ledgerBench() {
  const store = await testStore();
  const { mongo, work, clock } = store;
  const repository = new RatesRepository(mongo);
  const sheets = new BudgetSheets(mongo, repository);
  const organisations = new OrganisationCalls({ peers: { call: async () => ({ timeZone: 'UTC' }) } } as never);
  const settlement = new BudgetSettlement(sheets, clock, organisations);
  const ledger = new LedgerService(mongo, repository, settlement, clock);

  const append = (orgId: OrgId, data: object): Promise<void> => {
    const event = { data: { orgId, ...data }, time: clock.now().toISOString() } as EventEnvelope<Ended>;
    return work.run(job('tests'), (tx) => ledger.append(tests.in(orgId), event, tx));
  };

  async function priceOf(model: string, more: { host?: string; outputMicros?: number } = {}) {
    const row = {
      _id: newId('rate'),
      host: null,
      model,
      sortName: model,
      words: [],
      inputMicros: 2_500_000,
      outputMicros: 10_000_000,
      cachedMicros: 1_000_000,
      validFrom: clock.now(),
      validUntil: null,
      by: { userId: newId('user'), name: 'Greta Solvain' },
      endedBy: null,
      version: 1,
      ...more,
    };
    const plan = { added: [row], ended: [], unchanged: 0, faults: [] };
    await work.run(job('tests'), async (tx) => {
      await repository.hold(tests, 'EUR', tx);
      await repository.apply(tests, { plan, by: aPerson() }, tx);
    });
    return { id: row._id };
  }

  return { ...store, ledger, sheets, append, priceOf };
}
