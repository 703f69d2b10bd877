import { beforeAll, expect, test } from '@jest/globals';
import { budgetThresholdCrossed, type generationAttemptEnded } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { LedgerService } from './ledger/ledger.service.ts';
import { budgetBench, tests } from './budgets/budgets.spec-setup.ts';

const bench = await budgetBench();
const { mongo, work, clock, facts, sheets, rates, settlement, newBudget } = bench;
const ledger = new LedgerService(mongo, rates, settlement, clock);
beforeAll(bench.ready);
beforeAll(() => bench.newPrice('gpt'));

type Ended = DataOf<typeof generationAttemptEnded>;
const asker = newId('user');
const bot = newId('chatbot');
const provider = newId('provider');

/** The questions of one organisation: 1,000 tokens, a thousandth of the currency each. */
function questionsOf(orgId = newId('organisation')) {
  const answer = (more: object = {}, at = clock.now()): Promise<void> => {
    const upstream = { host: 'api.example.com', model: 'gpt' };
    const asked = { orgId, conversationId: newId('conversation'), generationId: newId('generation'), attempt: 1 };
    const used = { inputTokens: 900, outputTokens: 100, estimated: false, outcome: 'done' };
    const data = { ...asked, userId: asker, model: `${provider}/gpt`, upstream, ...used, ...more };
    const event = { data, time: at.toISOString() } as unknown as EventEnvelope<Ended>;
    return work.run(job('tests'), (tx) => ledger.append(tests.in(orgId), event, tx));
  };
  return { orgId, answer };
}
const limited = { hardLimit: 1_000_000_000, startsWithSpent: true };

test('a budget begins with what its period has spent, whoever it is for, in money and in tokens', async () => {
  const { orgId, answer } = questionsOf();
  const colleague = newId('user');
  const group = newId('group');
  Object.assign(facts, { items: [{ id: group, name: 'Research', userIds: [asker] }] });
  await answer({}, new Date('2026-10-31T23:59:59Z'));
  await answer({ chatbot: { id: bot, version: 1 } });
  await answer({ userId: colleague });
  await answer({
    userId: colleague,
    model: `${provider}/other`,
    upstream: { host: 'api.example.com', model: 'other' },
  });
  const scopes = [
    [{ kind: 'organisation' }, 3_000, 2_000],
    [{ kind: 'person', id: asker }, 1_000, 1_000],
    [{ kind: 'group', id: group }, 1_000, 1_000],
    [{ kind: 'model', id: `${provider}/gpt` }, 2_000, 2_000],
    [{ kind: 'chatbot', id: bot, name: 'Herons' }, 1_000, 1_000],
  ] as const;
  for (const [scope, tokens, micros] of scopes)
    for (const [unit, spent] of [
      ['tokens', tokens],
      ['money', micros],
    ] as const)
      expect(await newBudget(orgId, { ...limited, scope, unit })).toMatchObject({
        spent,
        periodStart: '2026-11-01',
        countsFrom: '2026-11-01T00:00:00.000Z',
      });
  await answer({ groupIds: [group] });
  expect((await sheets.read(tests.in(orgId)))!.budgets.map(({ spent }) => spent)).toEqual(
    scopes.flatMap(([{ kind }, tokens, micros]) =>
      kind === 'chatbot' ? [tokens, micros] : [tokens + 1_000, micros + 1_000],
    ),
  );
  facts.items = [];
});

test('otherwise it counts from when it was set, and says so', async () => {
  const { orgId, answer } = questionsOf();
  await answer();
  const since = clock.now().toISOString();
  expect(await newBudget(orgId, { hardLimit: 10 })).toMatchObject({ spent: 0, countsFrom: since });
});

test('a limit that is passed already is told at once', async () => {
  const { orgId, answer } = questionsOf();
  await answer();
  await newBudget(orgId, { softLimit: 500, hardLimit: 10_000, startsWithSpent: true });
  const told = (await bench.recorded()).filter(
    ({ type, subject }) => type === budgetThresholdCrossed.type && subject === orgId,
  );
  expect(told.map(({ data }) => data)).toMatchObject([{ threshold: 'soft', spent: 1_000, limit: 500 }]);
});

test('what is written down while it is set counts once', async () => {
  const { orgId, answer } = questionsOf();
  await answer();
  const answers = Array.from({ length: 12 }, (_, index) => answer({ userId: index % 2 ? asker : newId('user') }));
  const budgets = (['day', 'week', 'month'] as const).map((period) => newBudget(orgId, { ...limited, period }));
  await Promise.all([...answers, ...budgets]);
  expect((await sheets.read(tests.in(orgId)))!.budgets.map(({ spent }) => spent)).toEqual([13_000, 13_000, 13_000]);
});
