import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

const nobodyThere = 9;
let local: MockProvider;
let running: TestParley;
let admin: ParleyClient;
let owner: ParleyClient;

beforeAll(async () => {
  local = await startMockProvider((_request, response) =>
    response.setHeader('content-type', 'text/event-stream').end(`${token('From this machine.')}${lastEvents(3, 4)}`),
  );
  const port = Number(new URL(local.url).port);
  const openAi = { OPENAI_API_KEY: 'sk-from-the-environment', OPENAI_BASE_URL: local.url };
  running = await startTestParley(openAi, {
    modelServerPorts: { ollama: port, 'lm-studio': nobodyThere, vllm: nobodyThere, 'llama-cpp': nobodyThere },
  });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  admin = await newPerson(running.url, { organisation: 'Platform', setupToken });
  owner = await newPerson(running.url, { organisation: 'Guests' });
}, 90_000);
afterAll(async () => {
  await running.close();
  local.close();
});

const offersOf = async (client: ParleyClient) => (await client.call('GET /api/chat/provider-offers')).items;
const accept = (client: ParleyClient) =>
  client.call('POST /api/chat/provider-offers/accept', {
    body: { id: newId('provider'), source: 'ollama', baseUrl: local.url, defaultModel: 'mock-2', isDefault: true },
  });

test('a model server of this machine is offered to the platform admin with its models, and to nobody else', async () => {
  const offers = await offersOf(admin);
  expect(offers).toContainEqual({ source: 'ollama', name: 'Ollama', baseUrl: local.url, models: ['mock-1', 'mock-2'] });
  expect(offers.map(({ source }) => source)).not.toContain('vllm');
  expect(await offersOf(owner)).toEqual([]);
});

test('without consent its address is refused; the platform admin gives it by accepting, and answers come from there', async () => {
  await expect(accept(owner)).rejects.toMatchObject({ problem: { status: 403 } });
  expect(await owner.call('POST /api/chat/providers/test', { body: { baseUrl: local.url } })).toMatchObject({
    ok: false,
    failedStep: 'address',
  });
  await accept(admin);
  const { conversation } = await admin.send(newId('conversation'), 'Who are you?');
  await eventually(
    async () =>
      expect((await admin.messages(conversation.id)).items.at(-1)).toMatchObject({
        text: 'From this machine.',
        generation: { status: 'done' },
      }),
    'the local model should answer',
  );
});
