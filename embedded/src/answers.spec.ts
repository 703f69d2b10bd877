import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, GenerationFailure, Message, ModelKey, Provider, ProviderId } from '@parley/contracts';
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
} from './test-parley.spec-setup.ts';

type Script = (response: ServerResponse) => void;
let running: TestParley;
let owner: ParleyClient;
let mock: MockProvider;
let script: Script;
let provider: Provider;

const words: Script = (response) => response.end(`${token('Hello ')}${token('there.')}${lastEvents(11, 2)}`);

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    script(response);
  });
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: mock.address }, { stallMs: 1_500 });
  owner = await newPerson(running.url, { organisation: 'Answers' });
  provider = await owner.call('POST /api/chat/providers', {
    body: {
      id: newId('provider'),
      name: 'Mock',
      baseUrl: mock.url,
      models: ['mock-1', 'gone'],
      defaultModel: 'mock-1',
      isDefault: true,
      apiKey: 'sk-secret-1234567890',
    },
  });
}, 90_000);
afterAll(async () => {
  await running.close();
  mock.close();
});
afterEach(() => {
  script = words;
});

async function ask(
  text = 'Hello?',
  conversationId: ConversationId = newId('conversation'),
): Promise<{ conversationId: ConversationId; answer: Message }> {
  await owner.send(conversationId, text);
  return { conversationId, answer: await ended(conversationId) };
}

async function ended(conversationId: ConversationId): Promise<Message> {
  return eventually(async () => {
    const answer = (await owner.messages(conversationId)).items.at(-1);
    expect(['done', 'stopped', 'failed', 'interrupted']).toContain(answer?.generation?.status);
    return answer as Message;
  }, 'the answer should end');
}

describe('an answer from a provider', () => {
  test('has its text, its usage and one ledger entry; the key is in no answer of ours', async () => {
    script = words;
    const { answer } = await ask();
    expect([answer.text, answer.generation?.status, answer.generation?.usage]).toEqual([
      'Hello there.',
      'done',
      { inputTokens: 11, outputTokens: 2, estimated: false },
    ]);
    await eventually(async () => {
      const { items } = await owner.call('GET /api/billing/ledger-entries', {
        query: { generationId: answer.generation?.id },
      });
      expect(
        items.map(({ attempt, inputTokens, outputTokens, outcome }) => ({
          attempt,
          inputTokens,
          outputTokens,
          outcome,
        })),
      ).toEqual([{ attempt: 1, inputTokens: 11, outputTokens: 2, outcome: 'done' }]);
    }, 'billing should have one entry');
    expect(JSON.stringify(await owner.call('GET /api/chat/providers'))).not.toContain('secret');
    expect(mock.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-secret-1234567890');
    expect(mock.requests.at(-1)?.headers['cookie']).toBeUndefined();
  });

  test("gets the documents' passages and the conversation so far as context, and cites what it used", async () => {
    await owner.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
    await eventually(
      async () => expect((await owner.call('GET /api/chat/documents')).counts.searchable).toBe(1),
      'the document should be searchable',
    );
    script = (response) => response.end(`${token('In pairs [1].')}${lastEvents(20, 4)}`);
    const { conversationId, answer } = await ask('How do I restart the gateway?');
    expect(answer.citations.map(({ number, documentName }) => [number, documentName])).toEqual([[1, 'vpn.md']]);
    await ask('And the second one?', conversationId);
    const sent = JSON.parse(mock.requests.at(-1)?.body ?? '{}') as { messages: { role: string; content: unknown }[] };
    expect(JSON.stringify(sent.messages[0])).toContain('Restart the gateway in pairs.');
    expect(sent.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  test.each<[string, Script, GenerationFailure, string]>([
    ['401', (response) => response.writeHead(401).end('{"error":{"message":"bad key"}}'), 'provider-refused', ''],
    [
      '429',
      (response) => response.writeHead(429).end('{"error":{"message":"slow down"}}'),
      'provider-rate-limited',
      '',
    ],
    ['500', (response) => response.writeHead(500).end('oops'), 'provider-error', ''],
    ['404', (response) => response.writeHead(404).end('{"error":{"message":"no such model"}}'), 'model-missing', ''],
    ['nonsense', (response) => response.end('data: {"nonsense": \n\n'), 'provider-error', ''],
    ['a stall', (response) => response.write(token('Half an')), 'provider-stalled', 'Half an'],
    [
      'a cut in mid-token',
      (response) => response.write(token('Half a'), () => setTimeout(() => response.destroy(), 50)),
      'provider-cut',
      'Half a',
    ],
    ['an end without an end', (response) => response.end(token('Half a')), 'provider-cut', 'Half a'],
    ['no end', (response) => void endless(response), 'too-long', 'x'.repeat(1_000)],
  ])(
    '%s: a failed state that keeps the text',
    async (_name, answerScript, failure, text) => {
      script = answerScript;
      const { answer } = await ask();
      expect([answer.generation?.status, answer.generation?.failure]).toEqual(['failed', failure]);
      expect(answer.text.startsWith(text)).toBe(true);
      expect(JSON.stringify(answer)).not.toContain('sk-secret');
    },
    90_000,
  );

  test('after a failure asking again gives a second version of the answer', async () => {
    script = (response) => response.writeHead(500).end('oops');
    const { conversationId, answer } = await ask();
    script = words;
    if (!answer.parentId) throw new Error('the answer belongs to no question');
    await owner.call('POST /api/chat/conversations/:conversationId/answers', {
      params: { conversationId },
      body: { parentId: answer.parentId, answerId: newId('message'), generationId: newId('generation') },
    });
    const again = await ended(conversationId);
    expect([again.text, again.parentId, again.position]).toEqual(['Hello there.', answer.parentId, 3]);
  });

  test('stop keeps the text so far, and a repeated stop does no harm', async () => {
    script = (response) => response.write(token('Just begun'));
    const conversationId = newId('conversation');
    const { answer } = await owner.send(conversationId, 'Hello?');
    const { generation } = answer;
    if (!generation) throw new Error('nothing is generated');
    const stop = () =>
      owner.call('POST /api/chat/conversations/:conversationId/generations/:generationId/stop', {
        params: { conversationId, generationId: generation.id },
      });
    await eventually(() => expect(mock.requests.at(-1)?.body).toContain('Hello?'), 'the provider should be asked');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await stop();
    const stopped = await ended(conversationId);
    expect([stopped.generation?.status, stopped.text]).toEqual(['stopped', 'Just begun']);
    await stop();
  });

  test('a second question waits for the first answer', async () => {
    script = (response) => setTimeout(() => words(response), 300);
    const conversationId = newId('conversation');
    await owner.send(conversationId, 'one');
    await expect(owner.send(conversationId, 'two')).rejects.toMatchObject({
      problem: { code: 'chat.generation-running' },
    });
    await ended(conversationId);
  });

  test('sending twice with the same ids is one message and one answer, also ten at once', async () => {
    const conversationId = newId('conversation');
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    await Promise.all(Array.from({ length: 10 }, () => owner.send(conversationId, 'once', ids)));
    await ended(conversationId);
    await owner.send(conversationId, 'once', ids);
    expect((await owner.messages(conversationId)).items.map(({ position, role }) => [position, role])).toEqual([
      [1, 'person'],
      [2, 'assistant'],
    ]);
  });

  test('a provider that was removed fails the answer, not the question', async () => {
    const other = await owner.call('POST /api/chat/providers', {
      body: {
        id: newId('provider'),
        name: 'Other',
        baseUrl: mock.url,
        models: ['m'],
        defaultModel: 'm',
        isDefault: false,
      },
    });
    await owner.call('DELETE /api/chat/providers/:providerId', { params: { providerId: other.id } });
    await expect(owner.send(newId('conversation'), 'x', { model: `${other.id}/m` as ModelKey })).rejects.toMatchObject({
      problem: { code: 'chat.model-not-found' },
    });
  });
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
    await test_({ baseUrl: mock.url, providerId: provider.id });
    expect(mock.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-secret-1234567890');
    await test_({ baseUrl: mock.url.replace('127.0.0.1', 'localhost'), providerId: provider.id });
    expect(mock.requests.at(-1)?.headers['authorization']).toBe('Bearer sk-secret-1234567890');
    await expect(
      owner.call('PATCH /api/chat/providers/:providerId', {
        params: { providerId: provider.id },
        body: { version: provider.version, baseUrl: 'https://elsewhere.example/v1' },
      }),
    ).rejects.toMatchObject({ status: 400 });
  });
});

async function endless(response: ServerResponse): Promise<void> {
  const part = token('x'.repeat(1_000));
  for (let at = 0; at < 400 && !response.destroyed; at += 1) {
    response.write(part);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}
