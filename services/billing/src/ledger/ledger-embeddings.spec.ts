import { beforeAll, expect, test } from '@jest/globals';
import type { embeddingEnded, titleEnded } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { DataOf, EventEnvelope, OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import type { OrganisationCalls } from '../organisation/index.ts';
import { ledgerEntryRows, spendDayRows } from '../entries/index.ts';
import { LedgerListService } from './ledger-list.service.ts';
import { asked, attempt, ledgerBench, tests } from './ledger.spec-setup.ts';
import { tellEntries } from './ledger.snapshots.ts';
import { spendChatbotRows } from './spend-chatbot.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { verifyTotals } from './verify-totals.ts';

const { mongo, work, clock, ready, recorded, ledger, append, priceOf, sheets } = await ledgerBench();
const me = aPerson();
const organisations = { namesFor: async () => new Map([[me.userId, me.name]]) } as unknown as OrganisationCalls;
const entryList = new LedgerListService(mongo, organisations);
beforeAll(ready);

type Ended = DataOf<typeof embeddingEnded>;
const embedding = (more: Partial<Ended> = {}) => ({
  embeddingId: newId('embedding'),
  purpose: 'passages' as const,
  userId: null,
  groupIds: [],
  chatbotId: null,
  model: 'prv_1/embed',
  upstream: { host: 'api.example.com', model: 'embed' },
  inputTokens: 4_000,
  estimated: false,
  outcome: 'done' as const,
  endedAt: clock.now().toISOString(),
  ...more,
});
function embedded(orgId: OrgId, data: ReturnType<typeof embedding>): Promise<void> {
  const event = { data: { orgId, ...data }, time: clock.now().toISOString() } as EventEnvelope<Ended>;
  return work.run(job('tests'), (tx) => ledger.appendEmbedding(tests.in(orgId), event, tx));
}
const list = (orgId: OrgId) =>
  entryList.list({ scope: tests.in(orgId), principal: me, query: { limit: 50 } } as never).then(({ items }) => items);

test('an embedding has one entry of its own kind, at the price of its model, however often its event comes', async () => {
  const orgId = newId('organisation');
  const rate = await priceOf('embed');
  clock.advance(1);
  const one = embedding();
  for (const _ of [1, 2]) await embedded(orgId, one);
  expect(await list(orgId)).toEqual([
    expect.objectContaining({
      kind: 'embedding',
      generationId: null,
      conversationId: null,
      userId: null,
      name: null,
      chatbot: null,
      inputTokens: 4_000,
      outputTokens: 0,
      costMicros: 10_000,
      rateId: rate.id,
    }),
  ]);
  const told = (await recorded()).filter(
    ({ type, tenantid }) => type === 'ledger.entry-added.v1' && tenantid === orgId,
  );
  expect(told.map(({ data }) => data)).toMatchObject([{ kind: 'embedding', userId: null, costMicros: 10_000 }]);
});

test('it counts in totals as what it cost, not as an answer; of a question for its asker and chatbot; all are verified', async () => {
  const orgId = newId('organisation');
  await priceOf('embed-2', { outputMicros: 0 });
  await priceOf('chat-2');
  clock.advance(1);
  const upstream = { host: 'api.example.com', model: 'embed-2' };
  const bot = newId('chatbot');
  const question = { purpose: 'question', userId: me.userId, chatbotId: bot } as const;
  await embedded(orgId, embedding({ upstream }));
  await embedded(orgId, embedding({ upstream, ...question, inputTokens: 400 }));
  await append(orgId, attempt(asked('chat-2', { userId: me.userId, chatbot: { id: bot, version: 2 } })));
  const within = tests.in(orgId);
  const totals = async (rows: typeof spendDayRows | typeof spendPersonRows | typeof spendChatbotRows) =>
    (
      await mongo
        .rows(rows as typeof spendDayRows)
        .within(within)
        .find({})
    ).map(({ attempts, costMicros }) => ({ attempts, costMicros }));
  expect((await totals(spendDayRows)).toSorted((a, b) => a.attempts - b.attempts)).toEqual([
    { attempts: 0, costMicros: 11_000 },
    { attempts: 1, costMicros: 2_900 },
  ]);
  // What the dashboard of this second calls spent today.
  const today = await ledger.spendToday({ scope: tests, params: { orgId } } as never);
  expect(today).toMatchObject({ costMicros: 13_900, unpricedAttempts: 0 });
  expect(await totals(spendPersonRows)).toEqual([{ attempts: 1, costMicros: 3_900 }]);
  expect(await totals(spendChatbotRows)).toEqual([{ attempts: 1, costMicros: 3_900 }]);
  expect((await verifyTotals({ mongo, work })).differences).toEqual([]);
  const entries = mongo.rows(ledgerEntryRows).within(within);
  await entries.updateMany({ kind: 'embedding', userId: null }, { $set: { costMicros: 1 } });
  const { differences } = await verifyTotals({ mongo, work });
  expect(differences.map((one) => one.split(/ +|:/)[3])).toEqual(['costMicros', 'moneyMicros']);
  await entries.updateMany({ kind: 'embedding', userId: null }, { $set: { costMicros: 10_000 } });
});

test('my usage adds it up and counts no answer', async () => {
  const orgId = newId('organisation');
  await embedded(orgId, embedding({ purpose: 'question', userId: me.userId, inputTokens: 12 }));
  const query = { month: clock.now().toISOString().slice(0, 7), zone: 'UTC' };
  const { days } = await ledger.myUsage({ scope: tests.in(orgId), principal: me, query } as never);
  expect(days).toMatchObject([{ model: 'prv_1/embed', inputTokens: 12, answers: 0 }]);
});

test('its reservation becomes what it used, of the organisation and of no person', async () => {
  const orgId = newId('organisation');
  const one = embedding({ inputTokens: 30 });
  const counted = {
    period: 'month' as const,
    unit: 'tokens' as const,
    softLimit: null,
    hardLimit: 100_000,
    version: 1,
    spent: 0,
    periodStart: '2026-11-01',
    countsFrom: new Date('2026-11-01T00:00:00Z'),
    resetsAt: new Date('2026-12-01T00:00:00Z'),
    told: [],
  };
  const budgets = [
    { id: newId('budget'), scope: { kind: 'organisation' as const }, ...counted },
    { id: newId('budget'), scope: { kind: 'person' as const, id: me.userId }, ...counted },
  ];
  await work.run(job('tests'), async (tx) => {
    const before = await sheets.create(tests.in(orgId), 'UTC', tx);
    const reservation = {
      id: `${one.embeddingId}:1`,
      costMicros: 0,
      tokens: 500,
      budgetIds: [budgets[0]!.id],
      leaseUntil: clock.now(),
    };
    await sheets.write(tests.in(orgId), tx, { before, after: { ...before, budgets, reservations: [reservation] } });
  });
  await embedded(orgId, one);
  const sheet = await sheets.read(tests.in(orgId));
  expect(sheet?.reservations).toEqual([]);
  expect(sheet?.budgets.map(({ spent }) => spent)).toEqual([30, 0]);
});

test('a title has one entry of its own kind that is not published; its asker pays, and it is no answer', async () => {
  const orgId = newId('organisation');
  await priceOf('chat-3');
  clock.advance(1);
  const data: DataOf<typeof titleEnded> = {
    orgId,
    generationId: newId('generation'),
    conversationId: newId('conversation'),
    userId: me.userId,
    groupIds: [],
    chatbotId: null,
    model: 'prv_1/chat-3' as DataOf<typeof titleEnded>['model'],
    upstream: { host: 'api.example.com', model: 'chat-3' },
    inputTokens: 2_000,
    outputTokens: 10,
    cachedTokens: 0,
    estimated: false,
    outcome: 'done',
    endedAt: clock.now().toISOString(),
    memberIds: [],
    sequence: 0,
  };
  const event = { data, time: clock.now().toISOString() } as EventEnvelope<typeof data>;
  for (const _ of [1, 2]) await work.run(job('tests'), (tx) => ledger.appendTitle(tests.in(orgId), event, tx));
  expect(await list(orgId)).toEqual([
    expect.objectContaining({
      kind: 'title',
      generationId: null,
      conversationId: null,
      inputTokens: 2_000,
      outputTokens: 10,
      costMicros: expect.any(Number),
    }),
  ]);
  const told = (await recorded()).filter(
    ({ type, tenantid }) => type === 'ledger.entry-added.v1' && tenantid === orgId,
  );
  expect(told).toEqual([]);
  const again: unknown[] = [];
  await tellEntries(mongo, async (_event, toldAgain) => void again.push(toldAgain));
  expect(JSON.stringify(again)).not.toContain(orgId);
  const [day] = await mongo.rows(spendDayRows).within(tests.in(orgId)).find({});
  expect(day).toMatchObject({ attempts: 0, inputTokens: 2_000, outputTokens: 10 });
});
