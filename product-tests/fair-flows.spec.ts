import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { unapprovedFlow, type ConversationId, type ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import mongoose from 'mongoose';
import {
  lastEvents,
  newPerson,
  password,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

/** The limit of one network. */
const registrations = 7;
/** A flow has half of all slots, and here one person can have that half: an attack with two flows would take all of them. */
const [slots, ofFlow] = [4, 2];
const wordEveryMs = 9_000;
let running: TestParley;
let mock: MockProvider;
/** The first platform admin, whose organisation is approved. */
let other: ParleyClient;
/** Work in that organisation. */
const colleagues: ParleyClient[] = [];
/** Ends each answer that the slow model is writing. */
const writing = new Set<() => void>();
let isSlow = true;
const asked: { readonly client: ParleyClient; readonly id: ConversationId }[] = [];

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write(token('Well, '));
    const end = () => void response.end(lastEvents(5, 2));
    if (!isSlow) return end();
    const saying = setInterval(() => response.write(token('well, ')), wordEveryMs);
    writing.add(end);
    response.once('close', () => {
      clearInterval(saying);
      writing.delete(end);
    });
  });
  running = await startTestParley({
    PARLEY_OUTBOUND_ALLOW: mock.address,
    PARLEY_WORKER_SLOTS: String(slots),
    PARLEY_SLOTS_OF_A_PERSON: String(ofFlow),
    PARLEY_REGISTRATIONS_PER_HOUR: String(registrations),
    PARLEY_TRUSTED_PROXY: '127.0.0.1',
  });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  other = await newPerson(running.url, { organisation: 'Other', address: '192.0.2.1', setupToken });
  for (let joined = 0; joined < 2; joined += 1) {
    const colleague = await newPerson(running.url, { address: '192.0.2.1' });
    await join(colleague, await linkOf(other, 1));
    colleague.orgId = other.orgId;
    colleagues.push(colleague);
  }
}, 120_000);
afterAll(async () => {
  await running.close();
  mock.close();
});

beforeEach(() => {
  isSlow = true;
});
/** Each test fills the slots itself. */
afterEach(async () => {
  isSlow = false;
  for (const end of writing) end();
  for (const { client, id } of asked.splice(0))
    await eventually(() => expectAnswered(client, id), 'the flood has ended');
}, 120_000);

/** Makes the model that says a word each nine seconds the one of the organisation that the client works in. */
async function useSlowModel(client: ParleyClient): Promise<ModelKey> {
  const models = { models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  const body = { id: newId('provider'), name: 'Mock', baseUrl: mock.url, apiKey: 'sk', ...models };
  await client.call('POST /api/chat/providers', { body });
  return `${body.id}/mock-1` as ModelKey;
}
async function expectAnswered(client: ParleyClient, id: ConversationId): Promise<void> {
  const answer = (await client.messages(id)).items.at(-1);
  expect(answer?.generation?.status).toBe('done');
}
/** Colleagues are answered while the attack has what one flow can have, and no more. */
async function keepsNobodyWaiting(): Promise<void> {
  await eventually(() => expect(writing.size).toBe(ofFlow), 'the attack has the slots of a flow');
  await Promise.all(
    [other, ...colleagues].map(async (client) => {
      const id = newId('conversation');
      await client.send(id, 'Hello?');
      await eventually(() => expectAnswered(client, id), 'the approved organisation is answered', 40_000);
    }),
  );
  expect(writing.size).toBe(ofFlow);
}

/** Asks as often as a person has slots, in the organisation that the client works in. */
async function flood(client: ParleyClient): Promise<void> {
  await useSlowModel(client);
  const inThisOrganisation = client.copy();
  for (let sent = 0; sent < ofFlow; sent += 1) {
    const id = newId('conversation');
    await client.send(id, 'Hello?');
    asked.push({ client: inThisOrganisation, id });
  }
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
  await keepsNobodyWaiting();
}, 120_000);

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
  await keepsNobodyWaiting();
}, 120_000);

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
  await keepsNobodyWaiting();
}, 120_000);

test('fresh accounts from one address keep no approved organisation waiting, and one too many is refused', async () => {
  const address = '192.0.7.1';
  for (let made = 1; made <= 5; made += 1)
    await flood(await newPerson(running.url, { organisation: `Fresh ${made}`, address }));
  // Counts begin with the hour: where it has just begun, as many register once more.
  const registering = async (): Promise<void> => {
    for (let late = 0; late <= registrations; late += 1) await newPerson(running.url, { address });
  };
  await expect(registering()).rejects.toMatchObject({ problem: { code: 'platform.rate-limited', status: 429 } });
  await keepsNobodyWaiting();
}, 120_000);
