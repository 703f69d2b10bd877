import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, GenerationFailure, Message, ModelKey } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ReadingTab, type ParleyClient } from '@parley/testing/client';
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

type Script = (response: ServerResponse) => void;
let running: TestParley;
let owner: ParleyClient;
let mock: MockProvider;
let script: Script;

const key = 'sk-secret-1234567890';
const words: Script = (response) => response.end(`${token('Hello ')}${token('there.')}${lastEvents(11, 2)}`);

beforeAll(async () => {
  mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream');
    script(response);
  });
  running = await startTestParley(
    { PARLEY_OUTBOUND_ALLOW: mock.address, PARLEY_ANSWER_DEADLINE_MS: '15000', PARLEY_WORKER_SLOTS: '30' },
    { stallMs: 3_000 },
  );
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Answers', setupToken });
  const models = { models: ['mock-1', 'gone'], defaultModel: 'mock-1', isDefault: true };
  const provider = { id: newId('provider'), name: 'Mock', baseUrl: mock.url, apiKey: key, ...models };
  await owner.call('POST /api/chat/providers', { body: provider });
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

/** Answers write on until the function that is returned ends them. */
function keepWriting(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  script = (response) => {
    void endless(response, token('Still. '), 500);
    void promise.then(() => response.destroy());
  };
  return resolve;
}

describe('an answer from a provider', () => {
  test('has its text, its usage and one ledger entry; the key is in no answer of ours', async () => {
    script = words;
    const price = await owner.call('POST /api/billing/rates', {
      body: {
        id: newId('rate'),
        currency: 'EUR',
        host: new URL(mock.url).host,
        model: 'mock-1',
        inputMicros: 100_000_000_000,
        outputMicros: 100_000_000_000,
        cachedMicros: 0,
        validFrom: null,
        validUntil: null,
        replaces: null,
      },
    });
    await eventually(async () => {
      const { items } = await owner.call('GET /api/chat/models');
      const prices = { inputMicros: 100_000_000_000, outputMicros: 100_000_000_000, currency: 'EUR' };
      expect(items.map(({ label, price: known }) => [label, known])).toContainEqual(['mock-1', prices]);
    }, 'its price should be listed');
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
      expect(items).toMatchObject([
        { attempt: 1, inputTokens: 11, outputTokens: 2, outcome: 'done', costMicros: 1_300_000, rateId: price.id },
      ]);
    }, 'billing should have one entry');
    expect(JSON.stringify(await owner.call('GET /api/chat/providers'))).not.toContain('secret');
    expect(mock.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${key}`);
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
    ['401', (response) => response.writeHead(401).end(`{"error":"bad key ${key}"}`), 'provider-refused', ''],
    [
      'an error in mid-stream that names the key',
      (response) => response.end(`${token('Half')}data: {"error":{"message":"bad key ${key}"}}\n\n`),
      'provider-error',
      'Half',
    ],
    ['429', (response) => response.writeHead(429).end('{"error":"slow down"}'), 'provider-rate-limited', ''],
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
    ['no end', (response) => void endless(response, token('x'.repeat(1_000))), 'too-long', 'x'.repeat(200_000)],
    [
      'a long text and then an event of 990 KB',
      (response) => response.end(token('x'.repeat(1_000)).repeat(190) + token('y'.repeat(990_000)) + lastEvents(1, 1)),
      'provider-error',
      'x'.repeat(190_000),
    ],
    ['usage without a word', (response) => void endless(response, usageOnly), 'provider-stalled', ''],
    ['thoughts without an end', (response) => void endless(response, thought), 'deadline-passed', ''],
    [
      'a malformed event just before [DONE]',
      (response) => response.end(`${token('All.')}data: {"choices":[{"delta":{"cont\n\ndata: [DONE]\n\n`),
      'provider-error',
      'All.',
    ],
  ])(
    '%s: a failed state that keeps the text',
    async (_name, answerScript, failure, text) => {
      script = answerScript;
      const { answer } = await ask();
      expect([answer.generation?.status, answer.generation?.failure]).toEqual(['failed', failure]);
      expect(answer.text.length).toBe(text.length);
      expect(answer.text === text).toBe(true);
      expect(answer.generation?.failureDetail ?? '').not.toContain('secret');
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
    const { answer } = await owner.send(conversationId, 'Stop me.');
    const { generation } = answer;
    if (!generation) throw new Error('nothing is generated');
    const stop = () =>
      owner.call('POST /api/chat/conversations/:conversationId/generations/:generationId/stop', {
        params: { conversationId, generationId: generation.id },
      });
    await eventually(() => expect(mock.requests.at(-1)?.body).toContain('Stop me.'), 'the provider should be asked');
    const tab = new ReadingTab(owner, conversationId);
    await eventually(() => expect(tab.answer.text).toBe('Just begun'), 'the first words should come');
    await stop();
    const stopped = await ended(conversationId);
    expect([stopped.generation?.status, stopped.text]).toEqual(['stopped', 'Just begun']);
    await stop();
    tab.close();
  });

  test('deleting its conversation stops it', async () => {
    let isOpen = false;
    script = (response) => {
      isOpen = true;
      response.once('close', () => (isOpen = false));
      response.write(token('Just begun'));
    };
    const conversationId = newId('conversation');
    await owner.send(conversationId, 'Hello?');
    await eventually(() => isOpen, 'the provider should be asked');
    await owner.call('DELETE /api/chat/conversations/:conversationId', { params: { conversationId } });
    await eventually(() => !isOpen, 'the provider should be left');
    await owner.call('POST /api/chat/conversations/:conversationId/restore', { params: { conversationId } });
    expect((await ended(conversationId)).generation?.status).toBe('stopped');
  });

  test('has one of at most a tenth of the slots: what waits is shown as queued, and another organisation gets in', async () => {
    const letGo = keepWriting();
    const other = await newPerson(running.url, { organisation: 'Others' });
    const asked = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const conversationId = newId('conversation');
        return { conversationId, status: (await owner.send(conversationId, 'Hello?')).answer.generation?.status };
      }),
    );
    expect(asked.filter(({ status }) => status === 'running')).toHaveLength(3);
    const theirs = await other.send(newId('conversation'), 'Hello?');
    expect(theirs.answer.generation?.status).toBe('running');
    script = words;
    letGo();
    for (const { conversationId, status } of asked)
      expect((await ended(conversationId)).generation?.status).toBe(status === 'running' ? 'failed' : 'done');
  }, 60_000);

  test('a second question is refused while the first is answered', async () => {
    const letGo = keepWriting();
    const conversationId = newId('conversation');
    await owner.send(conversationId, 'one');
    await expect(owner.send(conversationId, 'two')).rejects.toMatchObject({
      problem: { code: 'chat.generation-running' },
    });
    letGo();
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

  test('a question to a provider that was removed is refused, and nothing is kept of it', async () => {
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
    const conversationId = newId('conversation');
    await expect(owner.send(conversationId, 'x', { model: `${other.id}/m` as ModelKey })).rejects.toMatchObject({
      problem: { code: 'chat.model-not-found' },
    });
    await expect(owner.messages(conversationId)).rejects.toMatchObject({ status: 404 });
  });
});

const usageOnly = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\n`;
const thought = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'Hm. ' } }] })}\n\n`;

/** The same event again and again, until whoever asked has gone. */
async function endless(response: ServerResponse, event: string, everyMs = 1): Promise<void> {
  while (!response.destroyed) {
    response.write(event);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
