import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Budget, KnownBudget, ConversationId, Message } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { ServerResponse } from 'node:http';
import {
  lastEvents,
  newPerson,
  plantMember,
  startMockProvider,
  startTestParley,
  token,
  untilChatKnows,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

let running: TestParley;
let mock: MockProvider;
/** What the model server is asked and has not answered. */
let waiting: ServerResponse[] = [];
let setupToken: string | undefined;

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => void waiting.push(response));
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  await newPerson(running.url, { setupToken });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

const answerAll = (end: string = lastEvents(11, 2)): void => {
  for (const response of waiting.splice(0))
    response.setHeader('content-type', 'text/event-stream').end(`${token('Herons.')}${end}`);
};

const cutEvents = (input: number, output: number): string => lastEvents(input, output).replace('"stop"', '"length"');

/** The owner of a new organisation whose model is the mock. */
async function newOwner(): Promise<ParleyClient> {
  const owner = await newPerson(running.url, { organisation: 'Budgets' });
  const provider = { name: 'Mock', baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider } });
  // What is counted here are answers.
  await owner.call('PUT /api/chat/title-setting', { body: { isOn: false, version: 0 } });
  return owner;
}
async function newBudget(owner: ParleyClient, more: object): Promise<Budget> {
  const scope = { kind: 'organisation' as const };
  const limits = { softLimit: null, hardLimit: null };
  const wanted = { id: newId('budget'), scope, period: 'month' as const, unit: 'tokens' as const, ...limits, ...more };
  const budget = await owner.call('POST /api/billing/budgets', { body: wanted });
  await untilChatKnows(running.parley, owner, budget);
  return budget;
}
const change = async (owner: ParleyClient, id: Budget['id'], hardLimit: number): Promise<void> => {
  const { version } = await figuresOf(owner, id);
  await owner.call('PUT /api/billing/budgets/:budgetId', {
    params: { budgetId: id },
    body: { version, softLimit: null, hardLimit },
  });
};
const figuresOf = async (owner: ParleyClient, id: Budget['id']): Promise<KnownBudget> =>
  (await owner.call('GET /api/billing/budgets')).items.find((budget) => budget.id === id) as KnownBudget;

async function ask(client: ParleyClient, text = 'How many?'): Promise<ConversationId> {
  const conversationId = newId('conversation');
  await client.send(conversationId, text);
  return conversationId;
}
const answerOf = async (client: ParleyClient, id: ConversationId): Promise<Message> =>
  (await client.messages(id)).items.at(-1)!;
const ended = (client: ParleyClient, id: ConversationId): Promise<Message> =>
  eventually(async () => {
    const answer = await answerOf(client, id);
    expect(['done', 'failed', 'stopped']).toContain(answer.generation?.status);
    return answer;
  }, 'the answer should end');
const untilAsked = (count: number): Promise<void> =>
  eventually(async () => expect(waiting).toHaveLength(count), `the model should be asked ${count} times`);

test('fifty questions at once against a budget for ten: ten are asked, the others cost nothing', async () => {
  const owner = await newOwner();
  const { id } = await newBudget(owner, { hardLimit: 1_000_000 });
  const first = await ask(owner);
  await untilAsked(1);
  const { held } = await figuresOf(owner, id);
  expect(JSON.parse(mock.requests.at(-1)!.body)).toMatchObject({ max_tokens: 4_096 });
  expect(held).toBeGreaterThan(4_096);
  answerAll();
  await ended(owner, first);
  await eventually(async () => expect(await figuresOf(owner, id)).toMatchObject({ spent: 13, held: 0 }), 'settled');

  await change(owner, id, 13 + held * 10);
  const asked = await Promise.all(Array.from({ length: 50 }, () => ask(owner)));
  await eventually(async () => {
    const states = await Promise.all(asked.map(async (one) => (await answerOf(owner, one)).generation?.status));
    expect(states.filter((status) => status === 'failed')).toHaveLength(40);
  }, 'forty should be refused');
  expect(waiting).toHaveLength(10);
  expect(await figuresOf(owner, id)).toMatchObject({ spent: 13, held: held * 10 });
  answerAll();
  const answers = await Promise.all(asked.map((one) => ended(owner, one)));
  expect(answers.filter(({ generation }) => generation?.status === 'done')).toHaveLength(10);
  const refused = answers.find(({ generation }) => generation?.status === 'failed')!;
  expect(refused).toMatchObject({
    text: '',
    generation: { failure: 'budget-spent', failureDetail: `${id} ${held - 4_096 + 256} held` },
  });
  await eventually(async () => expect(await figuresOf(owner, id)).toMatchObject({ spent: 143, held: 0 }), 'settled');
  const { items } = await owner.call('GET /api/billing/ledger-entries', {
    query: { generationId: refused.generation!.id },
  });
  expect(items).toEqual([]);
}, 60_000);

test('an answer is shorter where less is left, and says so; what is too short is refused', async () => {
  const owner = await newOwner();
  const { id } = await newBudget(owner, { hardLimit: 1_000_000 });
  const first = await ask(owner);
  await untilAsked(1);
  const { held } = await figuresOf(owner, id);
  const prompt = held - 4_096;
  answerAll();
  await ended(owner, first);
  await eventually(async () => expect(await figuresOf(owner, id)).toMatchObject({ spent: 13, held: 0 }), 'settled');
  await change(owner, id, 13 + prompt + 300);
  const shorter = await ask(owner);
  await untilAsked(1);
  expect(JSON.parse(mock.requests.at(-1)!.body)).toMatchObject({ max_tokens: 300 });
  expect(await figuresOf(owner, id)).toMatchObject({ held: prompt + 300 });
  answerAll(cutEvents(11, 300));
  expect(await ended(owner, shorter)).toMatchObject({
    text: 'Herons.',
    generation: { status: 'failed', failure: 'output-limit', limitedBy: 'budget' },
  });
  await eventually(async () => expect((await figuresOf(owner, id)).held).toBe(0), 'settled');
  await change(owner, id, (await figuresOf(owner, id)).spent + prompt + 255);
  expect((await ended(owner, await ask(owner))).generation).toMatchObject({ failure: 'budget-spent' });
}, 60_000);

describe('a budget that is spent', () => {
  test('names who can raise it; asked for and raised, the same question is answered', async () => {
    const owner = await newOwner();
    const member = await newPerson(running.url);
    await plantMember(running.parley, member, owner, 'member');
    const { id } = await newBudget(owner, { scope: { kind: 'person', id: member.me!.id }, hardLimit: 10 });
    const conversationId = await ask(member);
    const refused = await ended(member, conversationId);
    expect(refused.generation?.failure).toBe('budget-spent');
    const mine = await member.call('GET /api/billing/my-budgets');
    expect(mine).toMatchObject({ items: [{ id, hasAsked: false }], raisers: [owner.me!.name] });
    await member.call('POST /api/billing/budget-requests', { body: { budgetId: id, amount: 9_990 } });
    const { requests } = await owner.call('GET /api/billing/budgets');
    expect(requests).toMatchObject([{ budgetId: id, userId: member.me!.id, name: member.me!.name, amount: 9_990 }]);
    await change(owner, id, 10_000);
    await member.call('POST /api/chat/conversations/:conversationId/answers', {
      params: { conversationId },
      body: { parentId: refused.parentId!, answerId: newId('message'), generationId: newId('generation') },
    });
    await untilAsked(1);
    answerAll();
    expect(await ended(member, conversationId)).toMatchObject({ text: 'Herons.', generation: { status: 'done' } });
  });

  test('of somebody else stops nobody, and asks nobody before the model', async () => {
    const owner = await newOwner();
    const { id } = await newBudget(owner, { scope: { kind: 'person', id: newId('user') }, hardLimit: 1 });
    const conversationId = await ask(owner);
    await untilAsked(1);
    expect(JSON.parse(mock.requests.at(-1)!.body)).not.toHaveProperty('max_tokens');
    expect(await figuresOf(owner, id)).toMatchObject({ held: 0 });
    answerAll();
    expect((await ended(owner, conversationId)).generation?.status).toBe('done');
  });

  test('of a group counts who is in it from the moment that they are', async () => {
    const owner = await newOwner();
    const member = await newPerson(running.url);
    await plantMember(running.parley, member, owner, 'member');
    const group = newId('group');
    await owner.call('POST /api/org/groups', { body: { id: group, name: 'Contractors' } });
    await newBudget(owner, { scope: { kind: 'group', id: group }, hardLimit: 10 });
    const before = await ask(member);
    await untilAsked(1);
    answerAll();
    expect((await ended(member, before)).generation?.status).toBe('done');
    await owner.call('PUT /api/org/members/:userId/groups', {
      params: { userId: member.me!.id },
      body: { version: 1, groupIds: [group] },
    });
    await eventually(
      async () => expect((await member.call('GET /api/billing/my-budgets')).items).toHaveLength(1),
      'the group should be among the rights of its member',
    );
    expect((await ended(member, await ask(member))).generation?.failure).toBe('budget-spent');
  });
});

test('a model that does not keep to its limit is charged as it reports, and the excess stands on the answer', async () => {
  const owner = await newOwner();
  const { id } = await newBudget(owner, { hardLimit: 6_000 });
  const conversationId = await ask(owner);
  await untilAsked(1);
  const { held } = await figuresOf(owner, id);
  answerAll(lastEvents(11, 7_000));
  const answer = await ended(owner, conversationId);
  await eventually(async () => {
    const { items } = await owner.call('GET /api/billing/my-answers', { query: { conversationId } });
    const excess = { costMicros: 0, tokens: 7_011 - held };
    expect(items).toEqual([{ generationId: answer.generation!.id, costMicros: null, currency: null, excess }]);
  }, 'the cost should be known');
  expect(await figuresOf(owner, id)).toMatchObject({ spent: 7_011, held: 0 });
  expect((await ended(owner, await ask(owner))).generation?.failure).toBe('budget-spent');
});

test('an answer that is cut at its limit says so, and can be continued', async () => {
  const owner = await newOwner();
  await newBudget(owner, { hardLimit: 100_000 });
  const conversationId = await ask(owner);
  await untilAsked(1);
  answerAll(lastEvents(11, 4_096).replace('"stop"', '"length"'));
  expect(await ended(owner, conversationId)).toMatchObject({
    text: 'Herons.',
    generation: { status: 'failed', failure: 'output-limit', usage: { outputTokens: 4_096 } },
  });
});
