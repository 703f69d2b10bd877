import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, ModelKey } from '@parley/contracts';
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

/** The person with five organisations, their neighbour, and five more; whoever comes then is one too many. */
const registrations = 7;
let running: TestParley;
let mock: MockProvider;
let other: ParleyClient;

beforeAll(async () => {
  const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 } };
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    const telling = setInterval(() => response.write(`data: ${JSON.stringify(usage)}\n\n`), 100);
    response.once('close', () => clearInterval(telling));
  });
  const settings = { PARLEY_WORKER_SLOTS: '20', PARLEY_REGISTRATIONS_PER_HOUR: String(registrations) };
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address, ...settings });
  other = await newPerson(running.url, { organisation: 'Other' });
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
    'the other organisation is answered',
    40_000,
  );
}

test('one person with five organisations shares one turn, creates no sixth, and keeps nobody else waiting', async () => {
  const person = await newPerson(running.url);
  for (let made = 1; made <= 5; made += 1) {
    await person.createOrganisation(`Mine ${made}`);
    await useSilentModel(person);
    for (let asked = 0; asked < 3; asked += 1) await person.send(newId('conversation'), 'Hello?');
  }
  await expect(person.createOrganisation('Mine 6')).rejects.toMatchObject({
    problem: { code: 'org.too-many-organisations', status: 429 },
  });
  const chat = await mongoose.createConnection(running.parley.internals.storeUri('parley_chat')).asPromise();
  await eventually(async () => {
    const copies = await chat.collection('organisation_shares').find({}).toArray();
    expect(copies.filter(({ share }) => share === person.me?.id)).toHaveLength(5);
  }, 'chat knows whose turn it is');
  await chat.close();
  await isAnswered(other);
}, 60_000);

test('five fresh accounts from one address keep nobody waiting, and a sixth is refused', async () => {
  for (let made = 1; made <= 5; made += 1) {
    const person = await newPerson(running.url, { organisation: `Fresh ${made}` });
    await useSilentModel(person);
    for (let asked = 0; asked < 4; asked += 1) await person.send(newId('conversation'), 'Hello?');
  }
  // Counts begin with the hour: where it has just begun, as many register once more.
  const registering = async (): Promise<void> => {
    for (let late = 0; late <= registrations; late += 1)
      await new ParleyClient(running.url).register({ name: 'Late', email: `late${late}@example.com`, password });
  };
  await expect(registering()).rejects.toMatchObject({ problem: { code: 'platform.rate-limited', status: 429 } });
  await isAnswered(other);
}, 90_000);
