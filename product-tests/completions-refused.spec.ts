import { describe, expect, test } from '@jest/globals';
import { createCompletion, limits } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import OpenAI from 'openai';
import { CompletionsBench, messages, thrown } from './completions.spec-setup.ts';
import { lastEvents, newPerson, token, untilChatKnows } from '@parley/embedded/test-parley';

const bench = new CompletionsBench();

describe('is refused', () => {
  test('what it may not have, as the client knows it', async () => {
    const model = await bench.defaultModel();
    const create = async (apiKey: string, more: object = {}) =>
      thrown(bench.openAi(apiKey).chat.completions.create({ model, messages, ...more }));
    const good = (await bench.aKey()).secret;
    const hidden = await bench.aChatbot({ audience: { kind: 'some', roles: ['owner'], groupIds: [], userIds: [] } });
    const memberKey = (await bench.aKey(bench.member)).secret;
    expect(await create('plk_wrong')).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(await create('plk_wrong')).toMatchObject({ status: 401, code: 'invalid_api_key' });
    const withoutRight = await create((await bench.aKey(bench.owner, ['model:use'])).secret);
    expect(withoutRight).toBeInstanceOf(OpenAI.PermissionDeniedError);
    expect(withoutRight).toMatchObject({ code: 'insufficient_permissions' });
    for (const unknown of ['gpt-4.1', newId('chatbot'), hidden]) {
      const error = await create(memberKey, { model: unknown });
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ code: 'model_not_found', param: 'model', type: 'invalid_request_error' });
      const none = await thrown(bench.openAi(memberKey).models.retrieve(unknown));
      expect(none).toMatchObject({ status: 404, code: 'model_not_found' });
    }
    expect((await bench.openAi(memberKey).models.list()).data.map(({ id }) => id)).not.toContain(hidden);
    expect((await bench.openAi(good).models.list()).data.map(({ id }) => id)).toContain(hidden);
    const large = await create(good, { user: 'x'.repeat(limits.completionJsonBytes) });
    expect(large).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(await thrown(bench.openAi(good).embeddings.create({ model, input: 'x' }))).toMatchObject({
      status: 404,
      code: 'not_found',
    });
    expect(bench.mock.requests).toEqual([]);
  });

  test.each<[string, object, string, string]>([
    ['tools', { tools: [{ type: 'function', function: { name: 'x' } }] }, 'tools', 'unsupported_parameter'],
    ['several answers', { n: 2 }, 'n', 'unsupported_parameter'],
    ['another form', { response_format: { type: 'json_object' } }, 'response_format.type', 'unsupported_parameter'],
    ['what nobody knows', { best_of: 2 }, 'best_of', 'unknown_parameter'],
    ['a temperature of 3', { temperature: 3 }, 'temperature', 'invalid_value'],
    [
      'an image of another site',
      {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }],
      },
      'messages.0.content.0.image_url.url',
      'unsupported_parameter',
    ],
    [
      'a file',
      { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] },
      'messages.0.content',
      'unsupported_parameter',
    ],
    ['a tool', { messages: [{ role: 'tool', content: 'x' }, ...messages] }, 'messages.0.role', 'unsupported_parameter'],
    ['no question', { messages: [{ role: 'system', content: 'x' }] }, 'messages', 'invalid_value'],
    [
      'a question that is too long',
      { messages: [{ role: 'user', content: 'x'.repeat(limits.messageCharacters + 1) }] },
      'messages.0.content',
      'context_length_exceeded',
    ],
    [
      'parts of a question that are too long together',
      { messages: [{ role: 'user', content: [0, 1].map(() => ({ type: 'text', text: 'x'.repeat(20_000) })) }] },
      'messages.0.content',
      'context_length_exceeded',
    ],
    [
      'instructions that are too long',
      { messages: [{ role: 'system', content: 'x'.repeat(20_001) }, ...messages] },
      'messages.0.content',
      'context_length_exceeded',
    ],
  ])('%s: 400 which names the parameter', async (_what, more, param, code) => {
    const client = await bench.newClient();
    const error = await thrown(
      client.chat.completions.create({ model: await bench.defaultModel(), messages, ...more } as never),
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param, code, type: 'invalid_request_error' });
    expect((error as Error).message).toContain(param);
  });

  test('what a program sends along and nobody minds is ignored', async () => {
    const ignored = { top_p: 0.9, presence_penalty: 1, frequency_penalty: 0, seed: 7, user: 'u', metadata: { a: 'b' } };
    const more = { ...ignored, store: false, n: 1, logprobs: false, tools: null, response_format: { type: 'text' } };
    const client = await bench.newClient();
    const answer = await client.chat.completions.create({
      model: await bench.defaultModel(),
      messages,
      ...more,
    } as never);
    expect((answer as OpenAI.ChatCompletion).choices[0]?.message.content).toBe('Hello there.');
  });

  test('a revoked key, and one of a suspended organisation', async () => {
    const { id, secret } = await bench.aKey();
    const client = bench.openAi(secret);
    await client.models.list();
    await bench.owner.call('DELETE /api/auth/my-api-keys/:apiKeyId', { params: { apiKeyId: id } });
    await eventually(async () => {
      expect(await thrown(client.models.list())).toBeInstanceOf(OpenAI.AuthenticationError);
    }, 'the key should be void');
    const other = await newPerson(bench.running.url, { organisation: 'Fennick Clinics' });
    const theirs = await bench.newClient(other);
    const { data } = await theirs.models.list();
    expect(data.map((model) => model.id)).not.toContain(await bench.defaultModel());
    const foreign = await thrown(theirs.chat.completions.create({ model: await bench.defaultModel(), messages }));
    expect(foreign).toMatchObject({ status: 404, code: 'model_not_found' });
    const params = { orgId: other.orgId! };
    const { version } = await bench.owner.call('GET /api/org/all-organisations/:orgId', { params });
    await bench.owner.call('PUT /api/org/all-organisations/:orgId/status', {
      params,
      body: { version, status: 'suspended', reason: 'Unpaid' },
    });
    await eventually(async () => {
      const error = await thrown(theirs.chat.completions.create({ model: data[0]!.id, messages }));
      expect(error).toBeInstanceOf(OpenAI.PermissionDeniedError);
      expect(error).toMatchObject({ code: 'organisation_suspended' });
    }, 'the organisation should be suspended');
  });

  test('more than a key can ask at the same time: 429, and after how long to ask again', async () => {
    bench.script = (response) => void response.write(token('Hello '));
    const { secret } = await bench.aKey();
    const model = await bench.defaultModel();
    const left = new AbortController();
    const ask = () => bench.raw(secret, { model, messages, stream: true }, left.signal);
    const open = await Promise.all(Array.from({ length: createCompletion.atOnce.key }, ask));
    expect(new Set(open.map(({ status }) => status))).toEqual(new Set([200]));
    const refused = await ask();
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    const error = await thrown(bench.openAi(secret).chat.completions.create({ model, messages }));
    expect(error).toBeInstanceOf(OpenAI.RateLimitError);
    expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
    expect((await bench.openAi(secret).models.list()).data.length).toBeGreaterThan(0);
    left.abort();
    bench.script = (response) => response.end(`${token('Hello ')}${lastEvents(1, 1)}`);
    await eventually(async () => {
      const answer = await bench.openAi(secret).chat.completions.create({ model, messages });
      expect(answer.choices[0]?.message.content).toBe('Hello ');
    }, 'there should be room again');
  });

  test('the 429 of a model server stays 429, with its Retry-After', async () => {
    bench.script = (response) => void response.writeHead(429, { 'retry-after': '7' }).end('{"error":"Slow down."}');
    const client = await bench.newClient();
    for (const stream of [true, false]) {
      const request = { model: await bench.defaultModel(), messages, stream };
      const error = await thrown(client.chat.completions.create(request as never));
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
      expect((error as InstanceType<typeof OpenAI.RateLimitError>).headers.get('retry-after')).toBe('7');
      expect((error as Error).message).toContain('Slow down.');
    }
  });

  test.each([true, false])(
    'a budget that another answer holds: 429 with when to ask again, and answered once it has ended (stream: %s)',
    async (stream) => {
      const other = await newPerson(bench.running.url, { organisation: 'Holds' });
      await bench.addModel(other);
      const scope = { kind: 'organisation' as const };
      const limits = { period: 'month' as const, unit: 'tokens' as const, softLimit: null, hardLimit: 3_000 };
      const budget = await other.call('POST /api/billing/budgets', { body: { id: newId('budget'), scope, ...limits } });
      await untilChatKnows(bench.running.parley, other, budget);
      const client = await bench.newClient(other);
      const { data } = await client.models.list();
      const request = { model: data[0]!.id, messages };
      const running = Promise.withResolvers<() => void>();
      bench.script = (response) =>
        running.resolve(() => response.end(`${token('Hello ')}${token('there.')}${lastEvents(11, 2)}`));
      const first = client.chat.completions.create(request);
      const end = await running.promise;
      const error = await thrown(client.chat.completions.create({ ...request, stream } as never));
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ code: 'rate_limit_exceeded', type: 'rate_limit_error' });
      const { headers } = error as InstanceType<typeof OpenAI.RateLimitError>;
      expect([Number(headers.get('retry-after')) > 0, headers.get('x-should-retry')]).toEqual([true, null]);
      end();
      expect((await first).choices[0]?.message.content).toBe('Hello there.');
      bench.script = (response) => response.end(`${token('Later.')}${lastEvents(11, 1)}`);
      await eventually(async () => {
        const later = await client.chat.completions.create(request);
        expect(later.choices[0]?.message.content).toBe('Later.');
      }, 'it should be answered once nothing is held');
    },
  );

  test.each([true, false])(
    'a budget that is spent: 429, and the client does not try again (stream: %s)',
    async (stream) => {
      const other = await newPerson(bench.running.url, { organisation: 'Budgets' });
      await bench.addModel(other);
      const scope = { kind: 'organisation' as const };
      const limits = { period: 'month' as const, unit: 'tokens' as const, softLimit: null, hardLimit: 10 };
      const id = newId('budget');
      const budget = await other.call('POST /api/billing/budgets', { body: { id, scope, ...limits } });
      await untilChatKnows(bench.running.parley, other, budget);
      let asked = 0;
      const counting: typeof fetch = (...call) => ((asked += 1), fetch(...call));
      const { secret } = await bench.aKey(other);
      const client = new OpenAI({ apiKey: secret, baseURL: `${bench.running.url}/v1`, maxRetries: 2, fetch: counting });
      const { data } = await client.models.list();
      asked = 0;
      const error = await thrown(client.chat.completions.create({ model: data[0]!.id, messages, stream } as never));
      expect(error).toBeInstanceOf(OpenAI.RateLimitError);
      expect(error).toMatchObject({ code: 'insufficient_quota', type: 'insufficient_quota' });
      expect([asked, bench.mock.requests]).toEqual([1, []]);
    },
  );
});
