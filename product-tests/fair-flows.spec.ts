import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unapprovedFlow, type ConversationId, type ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import mongoose from 'mongoose';
import {
  newPerson,
  password,
  startMockProvider,
  startTestParley,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

/** The limit of one network. */
const registrations = 7;
let running: TestParley;
let mock: MockProvider;
/** The first platform admin, whose organisation is approved. */
let other: ParleyClient;

beforeAll(async () => {
  const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } };
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    const telling = setInterval(() => response.write(`data: ${JSON.stringify(usage)}\n\n`), 100);
    response.once('close', () => clearInterval(telling));
  });
  const settings = { PARLEY_WORKER_SLOTS: '20', PARLEY_REGISTRATIONS_PER_HOUR: String(registrations) };
  const proxy = { PARLEY_TRUSTED_PROXY: '127.0.0.1' };
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address, ...settings, ...proxy });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  other = await newPerson(running.url, { organisation: 'Other', address: '192.0.2.1', setupToken });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

/** Makes the model that only sends usage the one of the organisation that the client works in. */
async function useSilentModel(client: ParleyClient): Promise<ModelKey> {
  const models = { models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  const body = { id: newId('provider'), name: 'Mock', baseUrl: mock.url, apiKey: 'sk', ...models };
  await client.call('POST /api/chat/providers', { body });
  return `${body.id}/mock-1` as ModelKey;
}
async function isAnswered(client: ParleyClient): Promise<void> {
  const conversationId: ConversationId = newId('conversation');
  await client.send(conversationId, 'Hello?');
  await eventually(
    async () => {
      const answer = (await client.messages(conversationId)).items.at(-1);
      expect(answer?.generation?.status).toBe('done');
    },
    'the approved organisation is answered',
    40_000,
  );
}

/** Asks more than a person's two slots in the organisation that the client works in, whose model never says a word. */
async function flood(client: ParleyClient): Promise<void> {
  await useSilentModel(client);
  for (let asked = 0; asked < 4; asked += 1) await client.send(newId('conversation'), 'Hello?');
}
/** Waits until chat knows which flow each of these organisations uses. */
async function knowsFlow(flow: string, of: readonly string[]): Promise<void> {
  const chat = await mongoose.createConnection(running.parley.internals.storeUri('parley_chat')).asPromise();
  await eventually(async () => {
    const copies = await chat.collection('organisation_flows').find({}).toArray();
    const users = copies.filter((copy) => copy['flow'] === flow).map(({ _id }) => String(_id));
    expect(users).toEqual(expect.arrayContaining([...of]));
  }, 'chat knows whose turn it is');
  await chat.close();
}
const join = (client: ParleyClient, token: string) =>
  client.call('POST /api/org/my-invitations/accept', { body: { token } });
async function linkOf(owner: ParleyClient, places: number): Promise<string> {
  const body = { id: newId('invitation'), label: 'All', role: 'member' as const, groupIds: [], domain: null, places };
  const { token } = await owner.call('POST /api/org/invitation-links', { body: { ...body, days: 1 } });
  return token;
}

test('the first platform admin creates an organisation that is approved, and others see that theirs is not', async () => {
  const person = await newPerson(running.url, { organisation: 'Not approved', address: '192.0.2.2' });
  const approvals = await Promise.all(
    [other, person].map(async (client) => (await client.call('GET /api/org/organisations')).items[0]?.approval),
  );
  expect(approvals).toEqual(['approved', 'none']);
  await knowsFlow(other.orgId!, [other.orgId!]);
  await knowsFlow(unapprovedFlow, [person.orgId!]);
});

test('one person with five organisations creates no sixth, and keeps no approved one waiting', async () => {
  const person = await newPerson(running.url, { address: '192.0.3.1' });
  const mine: string[] = [];
  for (let made = 1; made <= 5; made += 1) {
    await person.createOrganisation(`Mine ${made}`);
    mine.push(person.orgId!);
    await flood(person);
  }
  await expect(person.createOrganisation('Mine 6')).rejects.toMatchObject({
    problem: { code: 'org.too-many-organisations', status: 409 },
  });
  await knowsFlow(unapprovedFlow, mine);
  await isAnswered(other);
}, 60_000);

test('seven organisations transferred to a second account stay in the shared flow, and keep no approved one waiting', async () => {
  const person = await newPerson(running.url, { address: '192.0.4.1' });
  const second = await newPerson(running.url, { address: '192.0.5.1' });
  const transferred: string[] = [];
  for (let made = 1; made <= 7; made += 1) {
    await person.createOrganisation(`Transferred ${made}`);
    transferred.push(person.orgId!);
    await join(second, await linkOf(person, 1));
    second.orgId = person.orgId;
    await person.call('POST /api/org/ownership', { body: { userId: second.me!.id } });
    await flood(second);
  }
  await knowsFlow(unapprovedFlow, transferred);
  await isAnswered(other);
}, 60_000);

test("accounts through the invitation link of an approved organisation don't use its flow, nor keep its people waiting", async () => {
  const invitation = await linkOf(other, 6);
  const strangers: string[] = [];
  for (let made = 1; made <= 6; made += 1) {
    const account = new ParleyClient(running.url);
    await account.register({ name: 'By link', email: `link${made}@example.com`, password, invitation });
    await account.createOrganisation(`By link ${made}`);
    strangers.push(account.orgId!);
    await flood(account);
  }
  await knowsFlow(unapprovedFlow, strangers);
  await isAnswered(other);
}, 60_000);

test('fresh accounts from one address keep no approved organisation waiting, and one too many is refused', async () => {
  const address = '192.0.7.1';
  for (let made = 1; made <= 5; made += 1)
    await flood(await newPerson(running.url, { organisation: `Fresh ${made}`, address }));
  // Counts begin with the hour: where it has just begun, as many register once more.
  const registering = async (): Promise<void> => {
    for (let late = 0; late <= registrations; late += 1) await newPerson(running.url, { address });
  };
  await expect(registering()).rejects.toMatchObject({ problem: { code: 'platform.rate-limited', status: 429 } });
  await isAnswered(other);
}, 90_000);
