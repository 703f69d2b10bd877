import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Provider, ProviderId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { ServerResponse } from 'node:http';
import {
  lastEvents,
  newPerson,
  startMockProvider,
  startTestParley,
  token,
  type MockProvider,
  type TestParley,
} from '@parley/embedded/test-parley';

const key = 'sk-secret-1234567890';
const words = (response: ServerResponse) => response.end(`${token('Hello ')}${token('there.')}${lastEvents(11, 2)}`);
let running: TestParley;
let owner: ParleyClient;
let mock: MockProvider;
/** Another host, as far as keys are concerned. */
let elsewhere: MockProvider;
let provider: Provider;
let script = words;

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => script(response));
  elsewhere = await startMockProvider((_request, response) => words(response));
  const byName = mock.address.replace('127.0.0.1', 'localhost');
  const allowed = [mock.address, elsewhere.address, byName].join(',');
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: allowed });
  owner = await newPerson(running.url, { organisation: 'Providers' });
  const fields = { name: 'Mock', baseUrl: mock.url, models: ['mock-1'], defaultModel: 'mock-1', isDefault: true };
  provider = await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), apiKey: key, ...fields } });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
  elsewhere.close();
});
afterEach(() => {
  script = words;
});

describe('testing a provider', () => {
  const test_ = (body: { baseUrl: string; model?: string; providerId?: ProviderId }) =>
    owner.call('POST /api/chat/providers/test', { body });
  test('lists the models and times the first token', async () => {
    expect(await test_({ baseUrl: mock.url, model: 'mock-1' })).toMatchObject({
      ok: true,
      failedStep: null,
      models: ['mock-1', 'mock-2'],
    });
  });
  test('names the step that failed', async () => {
    expect(await test_({ baseUrl: 'http://127.0.0.1:18099/v1' })).toMatchObject({ ok: false, failedStep: 'address' });
    script = (response) => response.writeHead(401).end('{}');
    expect(await test_({ baseUrl: mock.url, model: 'mock-1' })).toMatchObject({ ok: false, failedStep: 'key' });
    script = (response) => response.writeHead(500).end('{}');
    expect(await test_({ baseUrl: mock.url, model: 'mock-1' })).toMatchObject({ ok: false, failedStep: 'answer' });
  });
  test('the stored key goes to the stored host only', async () => {
    const keysSentTo = async (server: MockProvider, baseUrl: string) => {
      const before = server.requests.length;
      expect(await test_({ baseUrl, providerId: provider.id })).toMatchObject({ ok: true });
      return server.requests.slice(before).map(({ headers }) => headers['authorization']);
    };
    expect(await keysSentTo(mock, mock.url)).toEqual([`Bearer ${key}`]);
    expect(await keysSentTo(elsewhere, elsewhere.url)).toEqual([undefined]);
    expect(await keysSentTo(mock, mock.url.replace('127.0.0.1', 'localhost'))).toEqual([undefined]);
    await expect(
      owner.call('PATCH /api/chat/providers/:providerId', {
        params: { providerId: provider.id },
        body: { version: provider.version, baseUrl: 'https://elsewhere.example/v1' },
      }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

test('a model is sent what fits into its context length, which an admin can change', async () => {
  const name = { providerId: provider.id };
  const change = async (tokens: number | null) => {
    const contexts = tokens === null ? [] : [{ model: 'mock-1', tokens }];
    const { version } = (await owner.call('GET /api/chat/providers')).items[0]!;
    await owner.call('PATCH /api/chat/providers/:providerId', { params: name, body: { version, contexts } });
    return (await owner.call('GET /api/chat/models')).items.find(({ label }) => label === 'mock-1')?.context;
  };
  const conversationId = newId('conversation');
  /** How many messages the model was sent of the conversation. */
  const ask = async (text: string): Promise<number> => {
    await owner.send(conversationId, text);
    await eventually(async () => {
      const { items } = await owner.messages(conversationId);
      expect(items.at(-1)?.generation?.status).toBe('done');
    }, 'the question should be answered');
    const { messages } = JSON.parse(mock.requests.at(-1)!.body) as { messages: { content: string }[] };
    expect(messages.at(-1)?.content).toBe(text);
    return messages.length - 1;
  };
  const long = 'x'.repeat(9_000);
  expect(await change(null)).toEqual({ tokens: 8_000, isAssumed: true });
  await ask(`${long} 1`);
  // Of 3,000 tokens each, two don't fit beside the answer.
  expect(await ask(`${long} 2`)).toBe(2);
  expect(await change(32_000)).toEqual({ tokens: 32_000, isAssumed: false });
  expect(await ask(`${long} 3`)).toBe(5);
  await expect(change(999)).rejects.toMatchObject({ status: 400 });
}, 60_000);
