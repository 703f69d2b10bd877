import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { isTitleRequest } from '@parley/testing/model-streams';
import { ReadingTab, type ParleyClient } from '@parley/testing/client';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

let running: TestParley;
let mock: MockProvider;
let owner: ParleyClient;
/** What the model was asked for titles. */
let asked = 0;
/** The mock model waits for this before it sends a title. */
let titleAllowed = Promise.resolve();

beforeAll(async () => {
  mock = await startMockProvider(
    ({ body }, response) => {
      if (isTitleRequest(body)) asked += 1;
      const text = isTitleRequest(body) ? 'Heron counts' : 'Three quiet herons.';
      const send = () =>
        response.setHeader('content-type', 'text/event-stream').end(`${token(text)}${lastEvents(40, 6)}`);
      void (isTitleRequest(body) ? titleAllowed : Promise.resolve()).then(send);
    },
    { writesTitles: true },
  );
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
  await connect(owner);
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

async function connect(person: ParleyClient): Promise<void> {
  const provider = { name: 'Mock', baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  await person.call('POST /api/chat/providers', { body: { id: newId('provider'), ...provider } });
}
const titleOf = async (conversationId: Awaited<ReturnType<typeof ask>>, person = owner) =>
  (await person.call('GET /api/chat/conversations/:conversationId', { params: { conversationId } })).title;
async function ask(person = owner) {
  const conversationId = newId('conversation');
  await person.send(conversationId, 'Hello, how many herons are there?');
  return conversationId;
}
const titleEntries = async () =>
  (await owner.call('GET /api/billing/ledger-entries')).items.filter(({ kind }) => kind === 'title');

test('a model of the own network names a chat after its first answer, once, and its asker has the entry', async () => {
  expect(await owner.call('GET /api/chat/title-setting')).toEqual({ isOn: true, isChosen: false, version: 0 });
  const conversationId = await ask();
  await eventually(async () => expect(await titleOf(conversationId)).toBe('Heron counts'), 'it should be named');
  await eventually(async () => expect(await titleEntries()).toHaveLength(1), 'it should be in the ledger');
  expect((await titleEntries())[0]).toMatchObject({ userId: owner.me?.id, inputTokens: 40, outputTokens: 6 });
  await owner.send(conversationId, 'And cranes?');
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items.map(({ generation }) => generation?.status)).toEqual([undefined, 'done', undefined, 'done']);
  }, 'the second answer should end');
  expect(asked).toBe(1);
});

test('a title that comes after its answer reaches the person’s tabs', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  titleAllowed = promise;
  const conversationId = newId('conversation');
  const tab = new ReadingTab(owner, conversationId);
  try {
    await tab.connected();
    await owner.send(conversationId, 'How many cranes are there?');
    const kinds = () => tab.changes.map(({ kind, generation }) => generation?.status ?? kind);
    await eventually(() => kinds().includes('done'), 'the answer should end');
    expect(kinds()).not.toContain('renamed');
    resolve();
    await eventually(() => kinds().includes('renamed'), 'the title should be told');
    expect(await titleOf(conversationId)).toBe('Heron counts');
  } finally {
    tab.close();
  }
});

test('turned off, the shortened question stays', async () => {
  await owner.call('PUT /api/chat/title-setting', { body: { isOn: false, version: 0 } });
  const before = asked;
  const conversationId = await ask();
  await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items.at(-1)?.generation?.status).toBe('done');
  }, 'the answer should end');
  // A title waits for an idle process: one of another organisation that came later is there.
  const other = await newPerson(running.url, { organisation: 'Fennick Water' });
  await connect(other);
  const later = await ask(other);
  await eventually(async () => expect(await titleOf(later, other)).toBe('Heron counts'), 'the other should be named');
  expect(asked).toBe(before + 1);
  expect(await titleOf(conversationId)).toBe('How many herons are there?');
  await eventually(async () => {
    const { items } = await owner.call('GET /api/org/audit');
    expect(items.map(({ act }) => act)).toContain('titles.turned-off');
  }, 'the audit log should say so');
});
