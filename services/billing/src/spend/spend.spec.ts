import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { aPerson } from '@parley/testing';
import { billingSetup } from '../billing.spec-setup.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { SpendService } from './spend.service.ts';

const { mongo, work, clock, ready, prices, rates, ledger, settlement } = await billingSetup();
const tests = jobScope('tests');
const noor = newId('user');
let asked: unknown[] = [];
let teams: unknown[] = [];
const organisations = new OrganisationCalls({
  peers: {
    call: async (_route: unknown, { body }: { body?: { among: unknown[]; userIds?: string[] } }) => {
      if (!body) return { items: teams };
      if (body.userIds) return { items: body.userIds.map((id) => `P-${id.slice(-4)}`) };
      asked = body.among;
      return { items: [{ userId: noor, name: 'Noor Halvani' }], nextCursor: null };
    },
  },
} as never);
const spend = new SpendService(mongo, prices, organisations, clock, settlement);
beforeAll(ready);

const price = (model: string, more: object = {}) =>
  rates.create({
    scope: tests,
    principal: aPerson(),
    body: {
      id: newId('rate'),
      currency: 'EUR',
      host: null,
      model,
      inputMicros: 1_000_000,
      outputMicros: 1_000_000,
      cachedMicros: 1_000_000,
      validFrom: null,
      validUntil: null,
      replaces: null,
      ...more,
    },
  } as never);
const use = (orgId: OrgId, model: string, more: object = {}) => {
  const { day = '2026-11-21', ...parts } = more as { day?: string };
  const data = {
    orgId,
    conversationId: newId('conversation'),
    generationId: newId('generation'),
    attempt: 1,
    userId: newId('user'),
    model: `prv_1/${model}`,
    upstream: { host: 'own.example', model },
    inputTokens: 10,
    outputTokens: 0,
    estimated: false,
    outcome: 'done',
    ...parts,
  };
  const event = { data, time: `${day}T23:00:00.000Z` } as never;
  return work.run(job('tests'), (tx) => ledger.append(tests.in(orgId), event, tx));
};
const read = (orgId: OrgId, month = '2026-11') => spend.read({ scope: tests.in(orgId), query: { month } } as never);
const seeing = (orgId: OrgId, ...permissions: string[]) =>
  aPerson({ organisation: { orgId, permissions: permissions as never, rightsVersion: 1 } });

test('a month is added up by day and by model, the dearest first, and has nothing of other months or organisations', async () => {
  const [orgId, other] = [newId('organisation'), newId('organisation')];
  await price('small');
  await price('large', { inputMicros: 5_000_000 });
  clock.advance(1);
  await use(orgId, 'small', { day: '2026-11-30' });
  await use(orgId, 'large', { day: '2026-11-30' });
  await use(orgId, 'unknown', { day: '2026-11-22' });
  for (const day of ['2026-10-31', '2026-12-01']) await use(orgId, 'small', { day });
  await use(other, 'small');
  const { days, models, currency, isCut } = await read(orgId);
  expect(currency).toBe('EUR');
  expect(isCut).toBe(false);
  expect(days.map(({ day, costMicros, unpricedAttempts }) => [day, costMicros, unpricedAttempts])).toEqual([
    ['2026-11-22', 0, 1],
    ['2026-11-30', 60, 0],
  ]);
  expect(models.map(({ model, costMicros }) => [model, costMicros])).toEqual([
    ['prv_1/large', 50],
    ['prv_1/small', 10],
    ['prv_1/unknown', 0],
  ]);
});

test('chatbots come by what they have cost in the month, and what names none is by none', async () => {
  const [orgId, grid, desk] = [newId('organisation'), newId('chatbot'), newId('chatbot')];
  await price('bots');
  clock.advance(1);
  const of = (id: string, version: number, more: object = {}) =>
    use(orgId, 'bots', { chatbot: { id, version }, ...more });
  await of(desk, 0, { inputTokens: 15 });
  for (const version of [1, 2]) await of(grid, version);
  await of(grid, 2, { day: '2026-10-31' });
  await use(orgId, 'bots');
  const { chatbots, models } = await read(orgId);
  expect(chatbots.map(({ chatbotId, costMicros, attempts }) => [chatbotId, costMicros, attempts])).toEqual([
    [grid, 20, 2],
    [desk, 15, 1],
  ]);
  expect(models).toMatchObject([{ costMicros: 45, attempts: 4 }]);
});

test('people come by what they have spent, page by page, with the names of members', async () => {
  const orgId = newId('organisation');
  await price('people');
  clock.advance(1);
  const gone = newId('user');
  await use(orgId, 'people', { userId: gone, inputTokens: 30 });
  for (const _ of [1, 2]) await use(orgId, 'people', { userId: noor, inputTokens: 40 });
  await use(orgId, 'people', { userId: noor, day: '2026-10-31' });
  const principal = seeing(orgId, 'billing:read', 'member:read', 'usage:read_person');
  const page = (query: object) =>
    spend.spenders({ scope: tests.in(orgId), principal, query: { month: '2026-11', ...query } } as never);
  const first = await page({ limit: 1 });
  const second = await page({ limit: 1, cursor: first.nextCursor });
  expect(asked).toEqual([gone]);
  expect([...first.items, ...second.items]).toMatchObject([
    { userId: noor, name: 'Noor Halvani', costMicros: 80, attempts: 2 },
    { userId: gone, name: null, costMicros: 30, attempts: 1 },
  ]);
  expect(second.nextCursor).toBeNull();
});

test('readers who may see no names get pseudonyms, page by page, and nobody where fewer than five have spent', async () => {
  const orgId = newId('organisation');
  await price('unnamed');
  clock.advance(1);
  const principal = seeing(orgId, 'billing:read', 'member:read');
  const page = (query: object) =>
    spend.spenders({ scope: tests.in(orgId), principal, query: { month: '2026-11', limit: 3, ...query } } as never);
  const people = Array.from({ length: 5 }, () => newId('user'));
  for (const [at, userId] of people.slice(0, 4).entries())
    await use(orgId, 'unnamed', { userId, inputTokens: 50 - at });
  expect(await page({})).toEqual({ items: [], nextCursor: null, isHidden: true });
  await use(orgId, 'unnamed', { userId: people[4], inputTokens: 10 });
  const first = await page({});
  const second = await page({ cursor: first.nextCursor });
  const found = [...first.items, ...second.items];
  expect(found.map(({ pseudonym }) => pseudonym)).toEqual(people.map((id) => `P-${id.slice(-4)}`));
  for (const id of people) expect(JSON.stringify([first, second])).not.toContain(id);
  expect([second.nextCursor, first.isHidden]).toEqual([null, false]);
  await expect(page({ cursor: 'x' })).rejects.toMatchObject({ code: 'platform.invalid-request' });
});

test('groups come by what their members have spent, whoever is in two counting in both', async () => {
  const orgId = newId('organisation');
  await price('groups');
  clock.advance(1);
  const [mia, alone] = [newId('user'), newId('user')];
  await use(orgId, 'groups', { userId: noor, inputTokens: 40 });
  await use(orgId, 'groups', { userId: mia, inputTokens: 5 });
  await use(orgId, 'groups', { userId: alone, inputTokens: 7 });
  const [small, large] = [newId('group'), newId('group')];
  teams = [
    { id: small, name: 'Field', userIds: [mia, newId('user')] },
    { id: large, name: 'Grid', userIds: [mia, noor] },
  ];
  const read = (...rights: string[]) =>
    spend.groups({
      scope: tests.in(orgId),
      principal: seeing(orgId, 'billing:read', ...rights),
      query: { month: '2026-11' },
    } as never);
  expect((await read('group:read')).items).toEqual([]);
  expect((await read('group:read', 'usage:read_person')).items).toMatchObject([
    { id: large, name: 'Grid', costMicros: 45, attempts: 2 },
    { id: small, name: 'Field', costMicros: 5, attempts: 1 },
  ]);
  await expect(read('member:read')).rejects.toMatchObject({ code: 'platform.forbidden' });
});

test('what people have spent is for readers who may know the members', async () => {
  const orgId = newId('organisation');
  const input = {
    scope: tests.in(orgId),
    principal: seeing(orgId, 'billing:read'),
    query: { month: '2026-11', limit: 9 },
  };
  await expect(spend.spenders(input as never)).rejects.toMatchObject({
    code: 'platform.forbidden',
    extras: { permission: 'member:read' },
  });
});

test('prices are those that hold or will, for every provider or for hosts that the organisation asks', async () => {
  const orgId = newId('organisation');
  const later = new Date(clock.now().getTime() + 60_000).toISOString();
  await price('zz-own', { host: 'own.example' });
  await price('zz-foreign', { host: 'foreign.example' });
  await price('zz-over', { validUntil: later });
  await price('zz-soon', { validFrom: later });
  clock.advance(60_000);
  const models = async () => {
    const { items } = await spend.prices({ scope: tests.in(orgId), query: { limit: 100 } } as never);
    return items.map(({ model }) => model).filter((model) => model.startsWith('zz-'));
  };
  expect(await models()).toEqual(['zz-soon']);
  await use(orgId, 'whatever');
  expect(await models()).toEqual(['zz-own', 'zz-soon']);
});
