import { beforeAll, describe, expect, test } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { aPerson } from '@parley/testing';
import type { OrganisationCalls } from '../organisation/index.ts';
import { ledgerEntryRows, spendDayRows } from '../entries/index.ts';
import { LedgerListService } from './ledger-list.service.ts';
import { asked, attempt, ledgerBench, tests } from './ledger.spec-setup.ts';
import { tellEntries } from './ledger.snapshots.ts';
import { spendChatbotRows } from './spend-chatbot.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { spendPeople } from './spend-upgrade.ts';
import { verifyTotals } from './verify-totals.ts';

const { mongo, work, clock, ready, recorded, ledger, append, priceOf } = await ledgerBench();
/** Org knows nobody but this one. */
const known = aPerson({
  name: 'Noor Halvani',
  organisation: { orgId: newId('organisation'), permissions: ['billing:read', 'usage:read_person'], rightsVersion: 1 },
});
const organisations = { namesFor: async () => new Map([[known.userId, known.name]]) } as unknown as OrganisationCalls;
const entryList = new LedgerListService(mongo, organisations);
const unpriced = { cachedTokens: 0, costMicros: null, rateId: null, currency: null };
beforeAll(ready);

const list = (orgId: OrgId, query: object) =>
  entryList.list({ scope: tests.in(orgId), principal: known, query: { limit: 50, ...query } } as never);

test('an attempt has one entry, however often its event comes', async () => {
  const orgId = newId('organisation');
  const ended = attempt();
  for (const _ of [1, 2]) await append(orgId, ended);
  await append(orgId, { ...ended, attempt: 2 });
  const { items } = await list(orgId, {});
  expect(items.map((entry) => entry.attempt)).toEqual([2, 1]);
  expect(items[1]).toEqual({
    id: items[1]!.id,
    kind: 'answer',
    ...ended,
    chatbot: null,
    ...unpriced,
    at: clock.now().toISOString(),
    name: null,
  });
});

test('an entry is told once, as it stands in the ledger, and all of them again under the same ids', async () => {
  const orgId = newId('organisation');
  await priceOf('told');
  clock.advance(1);
  const [priced, unknown] = [attempt(asked('told')), attempt(asked('unknown'))];
  for (const one of [priced, priced, unknown]) await append(orgId, one);
  const told = (await recorded()).filter(({ tenantid }) => tenantid === orgId);
  const { items } = await list(orgId, {});
  const tellable = items.map(({ id, userId, model, inputTokens, outputTokens, costMicros, currency, at }) => {
    const used = { userId, model, inputTokens, outputTokens, costMicros, currency, at };
    return { orgId, entryId: id, ...used };
  });
  const inOrder = (told: { entryId: string }[]) =>
    told.toSorted((one, other) => (one.entryId < other.entryId ? -1 : 1));
  expect(inOrder(told.map(({ data }) => data as { entryId: string }))).toEqual(inOrder(tellable));
  expect(items.map(({ costMicros }) => costMicros === null)).toContain(true);
  const again: unknown[] = [];
  await tellEntries(mongo, async (_definition, data) => void again.push(data));
  expect(again).toEqual(expect.arrayContaining(tellable));
});

test('a page reads no more of the organisation than it shows', async () => {
  const orgId = newId('organisation');
  const more = { ...unpriced, orgId, kind: 'answer' as const, at: clock.now(), day: '2026-11-21', excess: null };
  const unnamed = { chatbotId: null, chatbotVersion: null };
  const rows = Array.from({ length: 1_001 }, () => {
    const { chatbot: _chatbot, ...used } = attempt();
    return { _id: newId('ledgerEntry'), ...used, ...unnamed, ...more };
  });
  await mongo
    .rows(ledgerEntryRows)
    .within(tests.in(orgId))
    .insertMany(rows.map((row, index) => ({ ...row, at: new Date(index) })));
  expect((await list(orgId, { limit: 1 })).items).toHaveLength(1);
  const entries = mongo.rows(ledgerEntryRows).within(tests.in(orgId));
  for (const end of [500, 1_001]) await entries.deleteMany({ at: { $lt: new Date(end) } });
});

test('a list is of a time, and of one model, chatbot, person or outcome, page by page', async () => {
  const orgId = newId('organisation');
  const start = clock.now().getTime();
  const bot = { id: newId('chatbot'), version: 3 };
  const kinds = [{ chatbot: bot }, { model: 'b' }, { userId: known.userId }, { outcome: 'failed' as const }];
  for (const kind of [...kinds, ...kinds]) {
    await append(orgId, attempt({ model: 'a', ...kind }));
    clock.advance(1_000);
  }
  const at = (seconds: number) => new Date(start + seconds * 1_000).toISOString();
  const secondsOf = async (query: object) => {
    const found: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(orgId, { ...query, limit: 2, cursor });
      found.push(...page.items.map((entry) => (Date.parse(entry.at) - start) / 1_000));
      cursor = page.nextCursor;
    }
    return found;
  };
  expect(await secondsOf({})).toEqual([7, 6, 5, 4, 3, 2, 1, 0]);
  expect(await secondsOf({ from: at(1), until: at(6) })).toEqual([5, 4, 3, 2, 1]);
  expect(await secondsOf({ model: 'b' })).toEqual([5, 1]);
  expect(await secondsOf({ chatbotId: bot.id, until: at(5) })).toEqual([4, 0]);
  expect((await list(orgId, { chatbotId: bot.id })).items.map(({ chatbot }) => chatbot)).toEqual([bot, bot]);
  expect(await secondsOf({ userId: known.userId, until: at(6) })).toEqual([2]);
  expect(await secondsOf({ outcome: 'failed', from: at(4) })).toEqual([7]);
  const { items } = await list(orgId, { userId: known.userId });
  expect(items.map(({ name }) => name)).toEqual(['Noor Halvani', 'Noor Halvani']);
});

test("a list shows the organisation's own entries only, newest first, also of one generation", async () => {
  const [mine, theirs] = [newId('organisation'), newId('organisation')];
  const [one, other] = [attempt(), attempt()];
  await append(mine, one);
  await append(theirs, other);
  await append(mine, { ...one, attempt: 2 });
  const first = await list(mine, { limit: 1 });
  const second = await list(mine, { limit: 1, cursor: first.nextCursor });
  expect([...first.items, ...second.items].map((entry) => entry.attempt)).toEqual([2, 1]);
  expect(second.nextCursor).toBeNull();
  expect((await list(mine, { generationId: other.generationId })).items).toEqual([]);
  expect((await list(theirs, { generationId: other.generationId })).items).toHaveLength(1);
});

test("one's own usage is one's own, in this organisation and month", async () => {
  const [here, there] = [newId('organisation'), newId('organisation')];
  const me = aPerson();
  const [mine, theirs] = [attempt({ userId: me.userId }), attempt()];
  await append(here, mine);
  await append(here, theirs);
  await append(there, attempt({ userId: me.userId }));
  const usage = (month: string) =>
    ledger.myUsage({ scope: tests.in(here), principal: me, query: { month, zone: 'UTC' } } as never);
  const day = clock.now().toISOString().slice(0, 10);
  expect(await usage(day.slice(0, 7))).toEqual({
    days: [{ day, model: 'builtin', inputTokens: 3, outputTokens: 4, answers: 1, costMicros: 0, unpricedAttempts: 1 }],
    isCut: false,
    currency: 'EUR',
  });
  expect((await usage('2020-01')).days).toEqual([]);
});

const onlyEntry = async (orgId: OrgId) => (await list(orgId, {})).items[0]!;
const daysOf = (orgId: OrgId) => mongo.rows(spendDayRows).within(tests.in(orgId)).find({});

describe('an entry is priced', () => {
  test('by the rate of its model when the attempt ended, cached tokens at theirs', async () => {
    const orgId = newId('organisation');
    const { id: rateId } = await priceOf('gpt');
    await append(orgId, attempt(asked('gpt')));
    expect(await onlyEntry(orgId)).toMatchObject({ costMicros: 1_500 + 400 + 1_000, rateId, currency: 'EUR' });
  });

  test('by that of its host, if there is one', async () => {
    const orgId = newId('organisation');
    await priceOf('two-hosts');
    const { id: rateId } = await priceOf('two-hosts', { host: 'api.example.com', outputMicros: 0 });
    await append(orgId, attempt(asked('two-hosts', { cachedTokens: undefined })));
    expect(await onlyEntry(orgId)).toMatchObject({ cachedTokens: 0, costMicros: 2_500, rateId });
  });

  test('not where there was none then, whatever is said later', async () => {
    const orgId = newId('organisation');
    await append(orgId, attempt(asked('late')));
    clock.advance(1);
    await priceOf('late');
    expect(await onlyEntry(orgId)).toMatchObject({ costMicros: null, rateId: null, currency: null });
  });

  test('at nothing for the built-in assistant', async () => {
    const orgId = newId('organisation');
    await append(orgId, attempt({ upstream: null }));
    expect(await onlyEntry(orgId)).toMatchObject({ costMicros: 0, rateId: null });
  });
});

test.each([
  ['cut', 'failed', 'output-limit'],
  ['cut', 'failed', 'too-long'],
  ['failed', 'failed', 'provider-error'],
  ['failed', 'failed', undefined],
  ['done', 'done', undefined],
])('an entry is %s where the attempt is %s by %s', async (written, outcome, cause) => {
  const orgId = newId('organisation');
  await append(orgId, { ...attempt({ upstream: null }), outcome, ...(cause && { cause }) });
  expect(await onlyEntry(orgId)).toMatchObject({ outcome: written, inputTokens: 3 });
});

test('an entry of a version without rates is unpriced, and in no totals', async () => {
  const orgId = newId('organisation');
  const { outcome, ...old } = attempt();
  const row = { _id: newId('ledgerEntry'), orgId, ...old, outcome, costMicros: 0, at: clock.now() };
  await mongo.connection.collection('ledger_entries').insertOne(row as never);
  expect(await onlyEntry(orgId)).toMatchObject(unpriced);
  const told: unknown[] = [];
  await tellEntries(mongo, async (_definition, data) => void told.push(data));
  expect(told).toContainEqual(expect.objectContaining({ orgId, costMicros: null, currency: null }));
  expect((await verifyTotals({ mongo, work })).differences).toEqual([]);
});

describe('the totals of a day', () => {
  test('are written with the entries, once for each attempt', async () => {
    const orgId = newId('organisation');
    await priceOf('day');
    const first = attempt(asked('day'));
    for (const ended of [first, first, attempt(asked('day'))]) await append(orgId, ended);
    await append(orgId, attempt(asked('free')));
    const day = clock.now().toISOString().slice(0, 10);
    const sums = { orgId, day, inputTokens: 2_000, outputTokens: 200 };
    expect(await daysOf(orgId)).toEqual([
      {
        _id: `${orgId}/${day}/prv_1/day`,
        model: 'prv_1/day',
        host: 'api.example.com',
        ...sums,
        attempts: 2,
        unpricedAttempts: 0,
        costMicros: 5_800,
        moneyMicros: 5_800,
        utcMicros: 0,
      },
      {
        _id: `${orgId}/${day}/prv_1/free`,
        model: 'prv_1/free',
        host: 'api.example.com',
        ...sums,
        attempts: 1,
        unpricedAttempts: 1,
        inputTokens: 1_000,
        outputTokens: 100,
        costMicros: 0,
        moneyMicros: 0,
        utcMicros: 0,
      },
    ]);
  });

  test('are what the entries give; each difference is named', async () => {
    const [orgId, other] = [newId('organisation'), newId('organisation')];
    await append(orgId, attempt({ upstream: null }));
    const chatbot = { id: newId('chatbot'), version: 2 };
    await append(other, attempt({ upstream: null, chatbot }));
    expect((await verifyTotals({ mongo, work })).differences).toEqual([]);
    const days = mongo.rows(spendDayRows);
    const [row] = await daysOf(orgId);
    await days.within(tests.in(orgId)).update({ _id: row!._id }, { $inc: { costMicros: 5, attempts: 1 } });
    const [lost] = await daysOf(other);
    await days.within(tests.in(other)).delete({ _id: lost!._id });
    const ghost = newId('organisation');
    await mongo
      .rows(spendPersonRows)
      .within(tests.in(other))
      .updateMany({}, { $inc: { inputTokens: 1 } });
    await mongo
      .rows(spendChatbotRows)
      .within(tests.in(other))
      .updateMany({}, { $inc: { attempts: 1 } });
    await days
      .within(tests.in(ghost))
      .insert({ ...row!, _id: `${ghost}/${row!.day}/gone`, orgId: ghost, model: 'gone' });
    const { differences } = await verifyTotals({ mongo, work });
    const naming = (who: OrgId) =>
      differences.filter((line) => line.startsWith(who)).map((line) => line.slice(who.length + 2));
    expect(naming(orgId)).toEqual([
      `${row!.day}  builtin  attempts: the total is 2, the entries give 1`,
      `${row!.day}  builtin  costMicros: the total is 5, the entries give 0`,
    ]);
    expect(naming(other)).toHaveLength(5);
    expect(naming(other).at(-2)).toMatch(/^2026-11 {2}usr_\w+ {2}inputTokens: the total is 4, the entries give 3$/);
    expect(naming(other).at(-1)).toBe(`2026-11  ${chatbot.id}  attempts: the total is 2, the entries give 1`);
    expect(naming(ghost)).toHaveLength(3);
    expect(differences).toHaveLength(10);
  });

  test('of people of before are made from the entries, however often', async () => {
    const orgId = newId('organisation');
    await priceOf('upgraded');
    const userId = newId('user');
    for (const _ of [1, 2]) await append(orgId, attempt(asked('upgraded', { userId })));
    const people = mongo.rows(spendPersonRows).within(tests.in(orgId));
    const before = await people.find({});
    expect(before).toMatchObject([{ month: '2026-11', userId, attempts: 2, costMicros: 5_800 }]);
    await people.deleteMany({});
    for (const _ of [1, 2])
      for (let cursor: string | null = null; (cursor = await spendPeople.batch(mongo, cursor)) !== null;);
    expect(await people.find({})).toEqual(before);
  });
});
