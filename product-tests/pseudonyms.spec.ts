import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { orgRoles, permissionsOf, routeEntries, type OrgRole, type RouteName } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import {
  lastEvents,
  newPerson,
  plantMember,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';
import type { RouteContract } from '@parley/protocol';

/** Whoever may see no names must not be able to tell whose a pseudonym is by laying two lists side by side. */
const month = new Date().toISOString().slice(0, 7);
let running: TestParley;
let mock: MockProvider;
let owner: ParleyClient;
const readers = new Map<OrgRole, ParleyClient>();
/** Ids and names of people, and of a group of one of them. */
const named = new Set<string>();
let asked = 0;

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    asked += 1;
    // No two answers use the same, so each total is somebody's own.
    response
      .setHeader('content-type', 'text/event-stream')
      .end(`${token('Herons.')}${lastEvents(20_000 + 137 * asked, 1_000 + asked)}`);
  });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address, PARLEY_TRUSTED_PROXY: '127.0.0.1' });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  const admin = await newPerson(running.url, { setupToken });
  const price = { currency: 'EUR', host: null, replaces: null, validFrom: null, validUntil: null };
  const micros = { inputMicros: 1_000_000, outputMicros: 2_000_000, cachedMicros: 1_000_000 };
  await admin.call('POST /api/billing/rates', {
    body: { id: newId('rate'), model: 'mock-1', ...price, ...micros } as never,
  });
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy' });
  const provider = { name: 'Mock', baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider } });
  for (const role of orgRoles) {
    const reader = await newPerson(running.url);
    await plantMember(running.parley, reader, owner, role);
    readers.set(role, reader);
  }
  await usePeople();
}, 120_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

/** Six people use it; some have budgets of their own, one is a group of one. */
async function usePeople(): Promise<void> {
  const group = newId('group');
  const people: ParleyClient[] = [];
  for (let index = 0; index < 6; index += 1) {
    const person = await newPerson(running.url, { address: `198.51.100.${index}` });
    await plantMember(running.parley, person, owner, 'member');
    people.push(person);
    named.add(person.me!.id).add(person.me!.name);
  }
  await owner.call('POST /api/org/groups', { body: { id: group, name: 'Grid control' } });
  const { version } = (await owner.call('GET /api/org/members')).items.find(
    ({ userId }) => userId === people[0]!.me!.id,
  )!;
  await owner.call('PUT /api/org/members/:userId/groups', {
    params: { userId: people[0]!.me!.id },
    body: { version, groupIds: [group] },
  } as never);
  named.add(group).add('Grid control');
  const budget = { period: 'month' as const, unit: 'tokens' as const, softLimit: 1, hardLimit: null };
  const scopes = [
    { kind: 'group' as const, id: group },
    ...people.slice(1, 4).map(({ me }) => ({ kind: 'person' as const, id: me!.id })),
  ];
  for (const scope of scopes)
    await owner.call('POST /api/billing/budgets', { body: { id: newId('budget'), scope, ...budget } });
  for (const person of people) await person.send(newId('conversation'), 'How many herons?');
  await eventually(async () => {
    expect((await owner.call('GET /api/monitoring/people')).items).toHaveLength(6);
    const { items } = await owner.call('GET /api/billing/budgets');
    expect(items.filter(({ spent }) => (spent ?? 0) > 0)).toHaveLength(4);
  }, 'all should be counted');
}

type Value = string | number;
/** One object of an answer: its values, and whom it names. */
type Listed = { readonly values: ReadonlyMap<string, Value>; readonly text: string };

/** Each object of lists in an answer, those within others too. */
function recordsIn(answer: unknown): Listed[] {
  if (Array.isArray(answer)) return answer.flatMap((item) => [...recordOf(item), ...recordsIn(item)]);
  return typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(recordsIn) : [];
}
function recordOf(item: unknown): Listed[] {
  if (typeof item !== 'object' || item === null) return [];
  const values = new Map<string, Value>();
  for (const [key, value] of Object.entries(item))
    if ((typeof value === 'number' && value >= 1_000) || (typeof value === 'string' && value.length >= 8))
      values.set(key, value);
  // A budget of tokens counts both.
  const { inputTokens, outputTokens } = item as { inputTokens?: number; outputTokens?: number };
  if (inputTokens !== undefined && outputTokens !== undefined) values.set('tokens', inputTokens + outputTokens);
  return [{ values, text: JSON.stringify(item) }];
}

const queries: Partial<Record<RouteName, Record<string, string>>> = {
  getSpend: { month },
  listSpenders: { month },
  listGroupSpend: { month },
  getMyUsage: { month, zone: 'UTC' },
  getMetrics: { span: 'day', by: 'model' },
  searchMessages: { q: 'herons' },
  listMyAnswers: { conversationId: newId('conversation') },
  listDeletedDocuments: { connectionId: newId('connection') },
  listFiles: { ids: newId('file') },
};
const lists = routeEntries.filter(
  ([, { scope, method, params, stream, bytes }]) =>
    scope === 'organisation' && method === 'GET' && !params && !stream && !bytes,
);

async function readAll(role: OrgRole): Promise<{ records: ReadonlyMap<string, Listed[]>; unread: string[] }> {
  const reader = readers.get(role)!;
  const unread: string[] = [];
  const records = new Map<string, Listed[]>();
  for (const [name, route] of lists.filter(([, { permission }]) => permissionsOf(role).includes(permission!))) {
    const response = await reader.request('GET', pathOf(name, route));
    if (response.status === 200) records.set(name, recordsIn(await response.json()));
    else unread.push(`${name} ${response.status}`);
  }
  return { records, unread };
}
const pathOf = (name: RouteName, { path }: RouteContract): string =>
  `${path}?${new URLSearchParams(queries[name] ?? {}).toString()}`;

/** The values that occur once beside a name in one list and once beside a pseudonym in another, by which lists. */
function joined(lists: ReadonlyMap<string, readonly Listed[]>, pseudonyms: readonly string[]): string[] {
  return [...lists].flatMap(([unnamedIn, all]) => {
    const unnamed = naming(all, pseudonyms);
    return [...lists].flatMap(([namedIn, others]) => {
      const withName = naming(others, [...named]);
      return unnamed
        .flatMap(({ values }) => [...values.values()])
        .filter((value) => isOnce(unnamed, value) && isOnce(withName, value))
        .map((value) => `${value}: ${namedIn}, ${unnamedIn}`);
    });
  });
}
const naming = (records: readonly Listed[], words: readonly string[]): Listed[] =>
  records.filter(({ text }) => words.some((word) => text.includes(JSON.stringify(word))));
const isOnce = (records: readonly Listed[], value: Value): boolean =>
  records.filter(({ values }) => [...values.values()].includes(value)).length === 1;

describe.each(orgRoles)('%s', (role) => {
  const mayName = permissionsOf(role).includes('usage:read_person');

  test(mayName ? 'may join names and pseudonyms' : 'can join no name to a pseudonym', async () => {
    const people = (await owner.call('GET /api/monitoring/people')).items;
    const { records, unread } = await readAll(role);
    expect(unread).toEqual([]);
    const found = joined(
      records,
      people.flatMap(({ id, pseudonym }) => [id, pseudonym]),
    );
    if (mayName) expect(found.length).toBeGreaterThan(2);
    else expect(found).toEqual([]);
  });

  test(`${mayName ? 'sees' : 'sees no'} hours and models of one person`, async () => {
    const [first] = (await owner.call('GET /api/monitoring/people')).items;
    const { status } = await readers.get(role)!.request('GET', `/api/monitoring/people/${first!.id}?span=month`);
    expect(status).toBe(mayName ? 200 : 403);
  });
});

test('a person sees the amounts of the own budget, and others only who may see what each uses', async () => {
  const billing = readers.get('billing')!;
  const { items } = await billing.call('GET /api/billing/budgets');
  expect(items.map(({ spent, held }) => [spent, held])).toEqual(Array(4).fill([null, null]));
  const scope = { kind: 'person' as const, id: billing.me!.id };
  const own = { id: newId('budget'), scope, period: 'day' as const, unit: 'tokens' as const, softLimit: 5 };
  expect(await billing.call('POST /api/billing/budgets', { body: { ...own, hardLimit: null } })).toMatchObject({
    spent: 0,
  });
  const [first] = items;
  const body = { version: first!.version, softLimit: 2, hardLimit: null };
  const params = { budgetId: first!.id };
  expect(await billing.call('PUT /api/billing/budgets/:budgetId', { params, body })).toMatchObject({ spent: null });
  const stale = await billing.request('PUT', `/api/billing/budgets/${first!.id}`, {
    body: JSON.stringify(body),
    contentType: 'application/json',
  });
  expect([stale.status, await stale.json()]).toMatchObject([409, { current: { spent: null } }]);
});

test('entries of the ledger name nobody and are found by nobody for those who may not see names', async () => {
  const billing = readers.get('billing')!;
  const { items } = await billing.call('GET /api/billing/ledger-entries');
  expect(items.map(({ userId, name }) => userId ?? name)).toEqual(items.map(() => null));
  const { status } = await billing.request('GET', `/api/billing/ledger-entries?userId=${owner.me!.id}`);
  expect(status).toBe(403);
  const shown = await owner.call('GET /api/billing/ledger-entries');
  expect(shown.items.every(({ userId }) => userId !== null)).toBe(true);
});
