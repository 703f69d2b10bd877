import { beforeAll, expect, test } from '@jest/globals';
import type { generationAttemptEnded } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { admin, budgetBench, tests } from './budgets/budgets.spec-setup.ts';
import { spendDayRows } from './entries/index.ts';
import { spendChatbotRows, spendMoney, spendPersonRows, verifyTotals } from './ledger/index.ts';
import { LedgerService } from './ledger/ledger.service.ts';
import { SpendService } from './spend/spend.service.ts';

const bench = await budgetBench();
const { mongo, work, clock, facts, rates, settlement, budgets, newBudget } = bench;
const ledger = new LedgerService(mongo, rates, settlement, clock);
const spend = new SpendService(mongo, rates, {} as never, clock, settlement);
beforeAll(bench.ready);
beforeAll(() => bench.newPrice('gpt'));

/** An organisation of a time zone, with budgets in money for its days and months. */
async function organisationIn(timeZone: string, { hasBudgets = true } = {}) {
  const [orgId, userId] = [newId('organisation'), newId('user')];
  const answerAt = (time: string): Promise<void> => {
    clock.advance(Date.parse(time) - clock.now().getTime());
    const upstream = { host: 'api.example.com', model: 'gpt' };
    const asked = { orgId, conversationId: newId('conversation'), generationId: newId('generation'), attempt: 1 };
    const used = { inputTokens: 900, outputTokens: 100, estimated: false, outcome: 'done' };
    const data = { ...asked, userId, model: `${newId('provider')}/gpt`, upstream, ...used };
    const event = { data, time } as unknown as EventEnvelope<DataOf<typeof generationAttemptEnded>>;
    return work.run(job('tests'), (tx) => ledger.append(tests.in(orgId), event, tx));
  };
  const read = (month: string) => spend.read({ scope: tests.in(orgId), query: { month } } as never);
  facts.timeZone = timeZone;
  for (const period of hasBudgets ? ['day', 'month'] : [])
    await newBudget(orgId, { period, unit: 'money', hardLimit: 1_000_000_000 });
  /** Reads what the budgets of the day and of the month have spent. */
  const counted = async () => {
    const { items } = await budgets.list({ scope: tests.in(orgId), principal: admin } as never);
    return items.map(({ spent }) => spent);
  };
  /** Reads what the overview says of the same day and month. */
  const shown = async (day: string) => {
    const { days, models } = await read(day.slice(0, 7));
    const sumOf = (rows: readonly { costMicros: number }[]) =>
      rows.reduce((sum, { costMicros }) => sum + costMicros, 0);
    expect(sumOf(models)).toBe(sumOf(days));
    return [days.find((one) => one.day === day)?.costMicros ?? 0, sumOf(days)];
  };
  return { orgId, answerAt, read, counted, shown };
}

test.each([
  [
    'Asia/Kathmandu, where a month begins at 18:15 UTC',
    'Asia/Kathmandu',
    [
      ['2026-11-30T18:14:59.999Z', '2026-11-30'],
      ['2026-11-30T18:15:00.000Z', '2026-12-01'],
      ['2026-11-30T23:59:00.000Z', '2026-12-01'],
      ['2026-12-01T18:14:59.000Z', '2026-12-01'],
      ['2026-12-01T18:15:00.000Z', '2026-12-02'],
    ],
  ],
  [
    'Europe/Berlin over a change of clocks',
    'Europe/Berlin',
    [
      ['2027-03-27T22:59:59.000Z', '2027-03-27'],
      ['2027-03-27T23:00:00.000Z', '2027-03-28'],
      ['2027-03-28T21:59:59.000Z', '2027-03-28'],
      ['2027-03-28T22:00:00.000Z', '2027-03-29'],
      ['2027-03-31T21:59:59.000Z', '2027-03-31'],
      ['2027-03-31T22:00:00.000Z', '2027-04-01'],
    ],
  ],
] as const)('day and month of the overview cost what the budgets count, in %s', async (_where, timeZone, answers) => {
  const { answerAt, counted, shown } = await organisationIn(timeZone);
  for (const [time, day] of answers) {
    await answerAt(time);
    expect([day, ...(await shown(day))]).toEqual([day, ...(await counted())]);
  }
});

test('sums of earlier versions stay by days in UTC, and are marked', async () => {
  const { orgId, answerAt, read } = await organisationIn('Asia/Kathmandu');
  const spent = { attempts: 1, unpricedAttempts: 0, inputTokens: 900, outputTokens: 100, costMicros: 7_000 };
  const [userId, chatbotId] = [newId('user'), newId('chatbot')];
  const of = (period: string, name: string) => ({ _id: `${orgId}/${period}/${name}`, orgId, ...spent });
  const old = [
    [spendDayRows, { ...of('2027-05-31', 'gpt'), day: '2027-05-31', model: 'gpt', host: null }],
    [spendPersonRows, { ...of('2027-05', userId), month: '2027-05', userId }],
    [spendChatbotRows, { ...of('2027-05', chatbotId), month: '2027-05', chatbotId }],
  ] as const;
  for (const [{ name }, row] of old) await mongo.connection.collection<{ _id: string }>(name).insertOne(row);
  for (let cursor = await spendMoney.batch(mongo, null); cursor !== null;)
    cursor = await spendMoney.batch(mongo, cursor);
  await answerAt('2027-05-31T17:00:00.000Z');
  await answerAt('2027-05-31T19:00:00.000Z');
  const { timeZone, days, chatbots } = await read('2027-05');
  expect(timeZone).toBe('Asia/Kathmandu');
  expect(days).toMatchObject([{ day: '2027-05-31', costMicros: 8_000, utcMicros: 7_000, attempts: 3 }]);
  expect(chatbots).toMatchObject([{ costMicros: 7_000, utcMicros: 7_000 }]);
  const next = await read('2027-06');
  expect(next.days).toMatchObject([{ day: '2027-06-01', costMicros: 1_000, utcMicros: 0, attempts: 0 }]);
});

test('money is by days in UTC while org does not answer', async () => {
  const { answerAt, read } = await organisationIn('Asia/Kathmandu', { hasBudgets: false });
  facts.timeZone = null as never;
  await answerAt('2027-06-30T19:00:00.000Z');
  expect((await read('2027-06')).days).toMatchObject([{ day: '2027-06-30', costMicros: 1_000, utcMicros: 1_000 }]);
  facts.timeZone = 'Asia/Kathmandu';
  await answerAt('2027-06-30T20:00:00.000Z');
  expect((await read('2027-07')).days).toMatchObject([{ day: '2027-07-01', costMicros: 1_000, utcMicros: 0 }]);
});

test('the totals of all organisations follow from their entries', async () => {
  const { answerAt } = await organisationIn('America/St_Johns');
  for (const time of ['2027-08-01T02:29:00.000Z', '2027-08-01T02:30:00.000Z']) await answerAt(time);
  const { differences, entries } = await verifyTotals({ mongo, work });
  expect(differences.filter((one) => !one.includes('2027-05'))).toEqual([]);
  expect(entries).toBeGreaterThan(10);
});
