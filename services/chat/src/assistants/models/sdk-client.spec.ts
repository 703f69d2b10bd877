import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { OutboundClient } from '@parley/platform/outbound';
import { eventually } from '@parley/testing';
import {
  anthropicError,
  anthropicErrorEvent,
  anthropicStream,
  googleError,
  googleStream,
  wholeOf,
} from '@parley/testing/model-streams';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientFor } from './client-for.ts';
import type { ModelPart, ModelRequest } from './model-client.ts';
import { fetchModels } from './model-list.ts';
import type { ModelServer } from './model-server.ts';

type Body = { readonly max_tokens?: number; readonly generationConfig?: { readonly maxOutputTokens?: number } };
type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Body };
const key = 'sk-ant-secret-123456';
const outbound = new OutboundClient({ allows: (address) => address.startsWith('127.0.0.1'), connectTimeoutMs: 2_000 });
let server: Server;
let host = '';
let script: (response: ServerResponse) => void = () => undefined;
let asked: Asked[] = [];
let haveLeft = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      asked.push({
        path: request.url ?? '',
        headers: request.headers,
        body: body === '' ? {} : (JSON.parse(body) as Body),
      });
      response.once('close', () => (haveLeft += response.writableFinished ? 0 : 1));
      script(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await outbound.close();
  server.closeAllConnections();
  server.close();
});
afterEach(() => {
  asked = [];
  haveLeft = 0;
});

const requestOf = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  instructions: 'Be brief.',
  stops: [],
  onlyFromDocuments: false,
  temperature: null,
  path: [
    { role: 'person', text: 'Hello?' },
    { role: 'assistant', text: 'Yes?' },
    { role: 'person', text: 'How many herons?' },
  ],
  beginning: '',
  passages: [],
  documentCount: 0,
  contextTokens: 8_000,
  maxOutputTokens: null,
  locale: 'en',
  signal: new AbortController().signal,
  ...more,
});

const kinds = [
  { kind: 'anthropic', at: '/v1', model: 'claude-sonnet-4-5', stream: anthropicStream, keyHeader: 'x-api-key' },
  { kind: 'google', at: '/v1beta', model: 'gemini-2.5-flash', stream: googleStream, keyHeader: 'x-goog-api-key' },
] as const;

const streaming = (said: string) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(said);

describe.each(kinds)('$kind', ({ kind, at, model, stream, keyHeader }) => {
  const serverOf = (more: Partial<ModelServer> = {}): ModelServer => ({
    kind,
    baseUrl: `${host}${at}`,
    apiKey: key,
    outbound,
    ...more,
  });
  async function answer(request = requestOf(), { thinks = false, apiKey = key as string | null } = {}) {
    const parts: ModelPart[] = [];
    const answering = clientFor(serverOf({ apiKey }), { model, thinks }).answer(
      request,
      (part) => void parts.push(part),
    );
    const failure: unknown = await answering.then(
      () => null,
      (error: unknown) => error,
    );
    return { parts, failure };
  }
  const textOf = (parts: readonly ModelPart[]) => parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

  test('thoughts, words and usage come in their order, with the cached tokens', async () => {
    const told = { thoughts: ['Count. ', 'Three.'], words: ['Three ', 'herons.'] };
    script = streaming(wholeOf(stream({ ...told, inputTokens: 40, outputTokens: 9, cachedTokens: 30 })));
    expect(await answer()).toEqual({
      failure: null,
      parts: [
        { kind: 'reasoning', text: 'Count. ' },
        { kind: 'reasoning', text: 'Three.' },
        { kind: 'text', text: 'Three ' },
        { kind: 'text', text: 'herons.' },
        { kind: 'usage', inputTokens: 40, outputTokens: 9, cachedTokens: 30 },
      ],
    });
  });

  test('the server is sent the conversation, the instructions and the key, and nothing of the environment', async () => {
    process.env['ANTHROPIC_API_KEY'] = process.env['GOOGLE_GENERATIVE_AI_API_KEY'] = 'sk-of-the-machine';
    script = streaming(wholeOf(stream({ words: ['Three.'] })));
    await answer(requestOf({ temperature: 0.4, maxOutputTokens: 4_096 }));
    await answer(requestOf(), { apiKey: null });
    delete process.env['ANTHROPIC_API_KEY'];
    delete process.env['GOOGLE_GENERATIVE_AI_API_KEY'];
    const [first, second] = asked;
    expect([first?.headers[keyHeader], second?.headers[keyHeader] || undefined]).toEqual([key, undefined]);
    const sent = JSON.stringify(first?.body);
    for (const words of ['Be brief.', 'Hello?', 'Yes?', 'How many herons?', '0.4', '4096'])
      expect(sent).toContain(words);
    expect(asked.map(({ path }) => path)).toEqual(
      Array(2).fill(kind === 'anthropic' ? '/v1/messages' : `/v1beta/models/${model}:streamGenerateContent?alt=sse`),
    );
  });

  test('a conversation that is sent in part begins with a question', async () => {
    script = streaming(wholeOf(stream({ words: ['Three.'] })));
    const long = { role: 'person' as const, text: `Before ${'x'.repeat(24_000)}` };
    await answer(requestOf({ path: [long, { role: 'assistant', text: 'Orphan.' }, { role: 'person', text: 'Now?' }] }));
    const sent = JSON.stringify(asked[0]?.body);
    expect([sent.includes('Before'), sent.includes('Orphan'), sent.includes('Now?')]).toEqual([false, false, true]);
  });

  test('it is asked to think where that is wanted, and not otherwise', async () => {
    script = streaming(wholeOf(stream({ words: ['Three.'] })));
    await answer(requestOf(), { thinks: true });
    await answer(requestOf());
    const asksToThink = asked.map(({ body }) => JSON.stringify(body).includes('hinking'));
    expect(asksToThink).toEqual([true, false]);
  });

  test('what is held for an answer bounds what it may write and think', async () => {
    script = streaming(wholeOf(stream({ words: ['Three'], isCut: true })));
    const { failure } = await answer(requestOf({ maxOutputTokens: 4_096 }), { thinks: true });
    expect(failure).toMatchObject({ reason: 'output-limit' });
    const { body } = asked[0]!;
    expect(kind === 'anthropic' ? body.max_tokens : body.generationConfig?.maxOutputTokens).toBe(4_096);
  });

  test('what is cut by the limit of the server itself is not whole', async () => {
    script = streaming(wholeOf(stream({ words: ['Three'], isCut: true })));
    const { failure } = await answer(requestOf());
    expect(failure).toMatchObject({ reason: 'output-limit' });
  });

  const google = kind === 'google';
  const refusal = (status: number, type: string, message: string) =>
    google ? googleError(status, type, message) : anthropicError(type, message);
  test.each([
    [401, 'authentication_error', `invalid key ${key}`, 'provider-refused'],
    [403, 'permission_error', 'not yours', 'provider-refused'],
    [400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.', 'provider-refused'],
    [404, 'not_found_error', 'model: claude-0', 'model-missing'],
    [400, 'invalid_request_error', 'prompt is too long: 213462 tokens > 200000 maximum', 'context-too-long'],
    [
      400,
      'INVALID_ARGUMENT',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'context-too-long',
    ],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'context-too-long'],
    [400, 'invalid_request_error', 'temperature: must be a number', 'provider-error'],
    [500, 'api_error', 'Internal server error', 'provider-error'],
    [503, 'UNAVAILABLE', 'The model is overloaded.', 'provider-overloaded'],
    [529, 'overloaded_error', 'Overloaded', 'provider-overloaded'],
    [302, 'moved', 'elsewhere', 'provider-error'],
  ])('a refusal with %s and "%s: %s" is %s', async (status, type, message, reason) => {
    script = (response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', location: 'http://127.0.0.1:1/' })
        .end(refusal(status, type, message));
    const { failure, parts } = await answer();
    expect([failure, parts]).toMatchObject([{ reason, detail: expect.any(String) }, []]);
    expect((failure as Error).message).not.toContain('secret');
  });

  test('429 says how long to wait where the server does', async () => {
    script = (response) =>
      void response.writeHead(429, { 'retry-after': '17' }).end(refusal(429, 'rate_limit_error', 'slow down'));
    const { failure } = await answer();
    expect(failure).toMatchObject({
      reason: 'provider-rate-limited',
      detail: expect.stringMatching(/slow down.* Retry-After: 17 s$/),
    });
  });

  const begun = () => {
    const { begin, said } = stream({ words: ['Half a'] });
    return begin + said.slice(0, 2).join('');
  };
  test('an error in mid-stream keeps what was said', async () => {
    script = streaming(
      begun() +
        (google
          ? `data: ${googleError(503, 'UNAVAILABLE', 'The model is overloaded.')}\n\n`
          : anthropicErrorEvent('overloaded_error', 'Overloaded')),
    );
    const { failure, parts } = await answer();
    expect([textOf(parts), failure]).toMatchObject(['Half a', { reason: 'provider-overloaded' }]);
  });

  test.each<[string, (response: ServerResponse) => void]>([
    [
      'closes the connection',
      (response) => void response.write(begun(), () => setTimeout(() => response.destroy(), 50)),
    ],
    ['ends without an end', (response) => void response.end(begun())],
  ])('a server that %s has cut its answer', async (_what, act) => {
    script = (response) => act(response.writeHead(200, { 'content-type': 'text/event-stream' }));
    const { failure, parts } = await answer();
    expect([textOf(parts), failure]).toMatchObject(['Half a', { reason: 'provider-cut' }]);
  });

  test.each([
    ['nonsense', 'data: {"nonsense": \n\n'],
    ['an event that is none of its protocol', 'data: {"type":"surprise","candidates":7}\n\n'],
    ['an event of 2 MB', `data: {"x":"${'y'.repeat(2_000_000)}"}\n\n`],
    ['a page', '<html>hello</html>'],
    ['nothing', ''],
  ])('%s is no answer', async (_what, said) => {
    script = streaming(said);
    const { failure, parts } = await answer();
    expect([failure, parts]).toMatchObject([{ reason: expect.stringMatching(/^provider-(error|cut)$/) }, []]);
  });

  test('a line without an end is left, whatever it says', async () => {
    script = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const write = (left: number): void => {
        if (left === 0) return void response.end();
        if (!response.destroyed) response.write('x'.repeat(65_536), () => setImmediate(write, left - 1));
      };
      response.write('data: ', () => write(100));
    };
    expect((await answer()).failure).toMatchObject({
      reason: 'provider-error',
      detail: expect.stringContaining('1 MB'),
    });
  });

  test('who stops it, by the signal or by throwing, ends the call', async () => {
    script = (response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(begun());
    const stop = new AbortController();
    const stopping = clientFor(serverOf(), { model, thinks: false }).answer(requestOf({ signal: stop.signal }), () =>
      stop.abort(),
    );
    await expect(stopping).rejects.toThrow();
    const throwing = clientFor(serverOf(), { model, thinks: false }).answer(requestOf(), () => {
      throw new Error('enough');
    });
    await expect(throwing).rejects.toThrow('enough');
    await eventually(() => expect(haveLeft).toBe(2), 'both calls should have left');
  });

  test('an address that may not be called is refused, and one where nobody is says so', async () => {
    const at_ = (baseUrl: string) =>
      clientFor(serverOf({ baseUrl }), { model, thinks: false }).answer(requestOf(), () => undefined);
    await expect(at_('http://10.1.2.3/v1')).rejects.toMatchObject({ reason: 'provider-unreachable' });
    await expect(at_('http://127.0.0.1:1/v1')).rejects.toMatchObject({ reason: 'provider-unreachable' });
    await expect(at_('https://no-such-host.invalid/v1')).rejects.toMatchObject({ reason: 'provider-unknown-host' });
  });

  test('its list of models is read as it gives it', async () => {
    const [name, contextTokens] = google ? ['gemini-2.5-flash', 1_048_576] : ['claude-sonnet-4-5', 200_000];
    const model = (of: string, can: string) => ({ name: `models/${of}`, supportedGenerationMethods: [can] });
    const list = google
      ? { models: [{ ...model(name, 'generateContent'), inputTokenLimit: contextTokens }, model('e', 'embedContent')] }
      : { data: [{ type: 'model', id: name, display_name: 'Claude', max_input_tokens: contextTokens }] };
    script = (response) => void response.end(JSON.stringify(list));
    expect(await fetchModels(serverOf(), 5_000)).toEqual([{ name, contextTokens, acceptsImages: null }]);
    expect(asked[0]?.headers[keyHeader]).toBe(key);
    expect(asked[0]?.headers['anthropic-version']).toBe(google ? undefined : '2023-06-01');
    script = (response) => void response.end('{"items":[]}');
    await expect(fetchModels(serverOf(), 5_000)).rejects.toMatchObject({ reason: 'provider-error' });
  });
});
