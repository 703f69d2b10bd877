import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OutboundClient } from '@parley/platform/outbound';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runProviderTest } from './provider-test.ts';

let server: Server;
let baseUrl = '';
let answer: RequestListener = () => undefined;
const outbound = new OutboundClient({ allows: (address) => address.startsWith('127.0.0.1'), connectTimeoutMs: 2_000 });
beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(async () => {
  await outbound.close();
  server.close();
});
const run = (model?: string, at = baseUrl) =>
  runProviderTest(
    { kind: 'openai-compatible', baseUrl: at, apiKey: 'sk-test-1', outbound },
    model === undefined ? null : { model, thinks: false },
  );
const refusing = (status: number, said: string) => {
  answer = (_request, response) => response.writeHead(status).end(said);
};

describe('a test of a provider', () => {
  test('without a model lists them and tries no answer', async () => {
    answer = (_request, response) => response.end('{"data":[{"id":"atlas"}]}');
    expect(await run()).toMatchObject({ ok: true, failure: null, models: ['atlas'], firstTokenMs: null });
  });

  test('tells how much each model reads at once, by whatever name its server gives that', async () => {
    const of = (id: string, said: object) => ({ id, ...said });
    const data = [
      of('openrouter', { context_length: 131_072 }),
      of('vllm', { max_model_len: 32_768 }),
      of('mistral', { max_context_length: 40_960 }),
      of('groq', { context_window: 8_192 }),
      of('llama.cpp', { meta: { n_ctx: 4_096, n_ctx_train: 262_144 } }),
      of('openai', { object: 'model' }),
      of('odd', { context_length: 'much', meta: null }),
      of('none', { max_model_len: 0 }),
    ];
    answer = (_request, response) => response.end(JSON.stringify({ data }));
    const { models, contexts } = await run();
    expect(models).toEqual(data.map(({ id }) => id));
    expect(contexts).toEqual([
      { model: 'openrouter', tokens: 131_072 },
      { model: 'vllm', tokens: 32_768 },
      { model: 'mistral', tokens: 40_960 },
      { model: 'groq', tokens: 8_192 },
      { model: 'llama.cpp', tokens: 4_096 },
    ]);
  });

  test('with a model has it say a word', async () => {
    answer = ({ url }, response) =>
      response.end(url?.endsWith('/models') ? '{"data":[]}' : 'data: {"choices":[{"delta":{"content":"ready"}}]}\n\n');
    expect(await run('atlas')).toMatchObject({ ok: true, firstTokenMs: expect.any(Number) });
  });

  test('says why it failed, and what the server said beside it', async () => {
    refusing(401, 'Wrong credential: sk-test-1');
    const said = 'Wrong credential: …';
    expect(await run()).toMatchObject({ failedStep: 'key', failure: 'provider-refused', detail: said });
    refusing(404, 'no model atlas');
    expect(await run('atlas')).toMatchObject({ failedStep: 'answer', failure: 'model-missing' });
    expect(await run(undefined, 'http://10.1.2.3/v1')).toMatchObject({ failedStep: 'address' });
    expect(await run(undefined, 'http://127.0.0.1:1/v1')).toMatchObject({ failure: 'provider-unreachable' });
  });

  test('names a host that nobody knows', async () => {
    expect(await run(undefined, 'https://no-such-host.invalid/v1')).toMatchObject({
      failedStep: 'connection',
      failure: 'provider-unknown-host',
      detail: 'no-such-host.invalid',
    });
  });
});
