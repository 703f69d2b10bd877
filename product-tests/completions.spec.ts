import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { describe, expect, test } from '@jest/globals';
import { completionChunk } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { messagesOf } from '@parley/testing/client';
import { APICallError, generateText, streamText } from 'ai';
import type { ServerResponse } from 'node:http';
import OpenAI from 'openai';
import { CompletionsBench, messages, thrown } from './completions.spec-setup.ts';
import { lastEvents, token } from '@parley/embedded/test-parley';

type Script = (response: ServerResponse) => void;
const bench = new CompletionsBench();
const sent = () =>
  JSON.parse(bench.mock.requests.at(-1)!.body) as {
    messages: { role: string; content: string }[];
    temperature?: number;
    stop?: string[];
    max_tokens?: number;
  };

describe('the client of OpenAI', () => {
  test('lists the chatbots as models, and finds one', async () => {
    const id = await bench.aChatbot();
    const client = await bench.newClient();
    const all = await client.models.list();
    expect(all.data.map((model) => model.id)).toEqual(expect.arrayContaining([await bench.defaultModel(), id]));
    const found = await client.models.retrieve(id);
    expect(found).toEqual({
      id,
      object: 'model',
      created: expect.any(Number),
      owned_by: 'Lindmoor Energy',
      name: 'Grid Engineer',
    });
    expect(found.created * 1_000).toBeGreaterThan(Date.now() - 60_000);
  });

  test('gets a whole answer with its usage, and billing and monitoring have it by chatbot and version', async () => {
    const model = await bench.aChatbot({ instructions: 'Be brief.' });
    const client = await bench.newClient();
    const { data, response } = await client.chat.completions
      .create({
        model,
        messages: [
          { role: 'system', content: 'Speak of herons.' },
          { role: 'developer', content: [{ type: 'text', text: 'In one line.' }] },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Yes?' },
          ...messages,
        ],
        temperature: 0.25,
        max_tokens: 50,
        stop: 'STOP',
      })
      .withResponse();
    expect(data).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello there.' } }],
      usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 },
    });
    expect(data.id).toMatch(/^cmp_/);
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{32}$/);
    expect(response.headers.get('x-ratelimit-remaining-requests')).toBe(String(99_999));
    const [system, ...turns] = sent().messages;
    expect(system?.content).toMatch(/Be brief\.\n\nSpeak of herons\.\n\nIn one line\./);
    expect(turns).toEqual([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Yes?' }, ...messages]);
    expect(sent()).toMatchObject({ temperature: 0.25, stop: ['STOP'], max_tokens: 50 });
    await eventually(async () => {
      const entries = await bench.owner.ledgerEntries();
      expect(entries.filter(({ chatbot }) => chatbot?.id === model)).toMatchObject([
        { chatbot: { id: model, version: 1 }, inputTokens: 11, outputTokens: 2, userId: bench.owner.me!.id },
      ]);
    }, 'one ledger entry should name the chatbot');
    expect(JSON.stringify(await bench.owner.call('GET /api/chat/conversations'))).not.toContain('herons');
  });

  test('streams an answer in pieces, and gets its usage last where it asks for it', async () => {
    let go: () => void = () => undefined;
    bench.script = (response) => {
      response.write(token('Hello '));
      go = () => void (response.writableEnded || response.end(`${token('there.')}${lastEvents(11, 2)}`));
    };
    const client = await bench.newClient();
    const model = await bench.defaultModel();
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    const said: string[] = [];
    const finished: unknown[] = [];
    let usage: unknown = null;
    for await (const chunk of stream) {
      const { choices, usage: used, ...head } = completionChunk.parse(chunk);
      expect(head).toMatchObject({ object: 'chat.completion.chunk', model });
      if (choices[0]?.delta.content) said.push(choices[0].delta.content);
      if (said.length === 1) go();
      if (choices[0]?.finish_reason) finished.push(choices[0].finish_reason);
      usage = choices.length === 0 ? used : expect(used).toBeNull();
    }
    expect([said.join(''), finished]).toEqual(['Hello there.', ['stop']]);
    expect(said.length).toBeGreaterThan(1);
    expect(usage).toMatchObject({ total_tokens: 13 });
    const { secret } = await bench.aKey();
    const told = [];
    for await (const { data } of messagesOf(await bench.raw(secret, { model, messages, stream: true }))) {
      told.push(data);
      go();
    }
    expect(told.at(-1)).toBe('[DONE]');
    expect(told.join('')).not.toContain('usage');
  });

  test('ends in front of a stop word, and at its limit, and is told which', async () => {
    bench.script = (response) => void response.write(`${token('One, two, ST')}${token('OP three')}`);
    const client = await bench.newClient();
    const model = await bench.defaultModel();
    const stopped = await client.chat.completions.create({ model, messages, stop: ['STOP', 'HALT'] });
    expect(stopped.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'One, two, ' } });
    const cut = `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'length' }] })}\n\n`;
    bench.script = (response) => response.end(`${token('One')}${cut}data: [DONE]\n\n`);
    const limited = await client.chat.completions.create({ model, messages, max_completion_tokens: 1, max_tokens: 9 });
    expect(limited.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: 'One' } });
    expect(sent().max_tokens).toBe(1);
  });

  test.each([true, false])('that leaves stops the model, and what was used is billed (stream: %s)', async (stream) => {
    let isLeft = false;
    bench.script = (response) => {
      response.write(token('Three quiet herons stand there. '.repeat(5)));
      response.once('close', () => (isLeft = true));
    };
    const stopped = async () => (await bench.owner.ledgerEntries()).filter(({ outcome }) => outcome === 'stopped');
    const before = (await stopped()).length;
    const client = await bench.newClient();
    const left = new AbortController();
    const asking = client.chat.completions.create({ model: await bench.defaultModel(), messages, stream } as never, {
      signal: left.signal,
    }) as unknown as Promise<AsyncIterable<unknown>>;
    if (stream) for await (const _first of await asking) break;
    else {
      await eventually(() => expect(bench.mock.requests).toHaveLength(1), 'the model should be asked');
      left.abort();
      expect(await thrown(asking)).toBeInstanceOf(OpenAI.APIUserAbortError);
    }
    await eventually(() => expect(isLeft).toBe(true), 'the model should be left');
    await eventually(async () => {
      const entries = await stopped();
      expect(entries).toHaveLength(before + 1);
      expect(entries[0]?.outputTokens).toBeGreaterThan(30);
    }, 'what was used should be billed');
  });
});

describe('a model server that fails', () => {
  const broken: Script = (response) => {
    response.statusCode = 500;
    response.end('{"error":{"message":"out of memory"}}');
  };

  test('before its first word: 502, and what it said', async () => {
    bench.script = broken;
    const client = await bench.newClient();
    for (const stream of [true, false]) {
      const request = { model: await bench.defaultModel(), messages, stream };
      const error = await thrown(client.chat.completions.create(request as never));
      expect(error).toBeInstanceOf(OpenAI.InternalServerError);
      expect(error).toMatchObject({ status: 502, code: 'provider_failed', type: 'server_error' });
      expect((error as Error).message).toContain('out of memory');
    }
  });

  test('for the length of the question: 400 with the code of OpenAI, which clients do not repeat', async () => {
    const said = 'the request exceeds the available context size (1536 tokens)';
    bench.script = (response) => {
      response.statusCode = 400;
      response.end(JSON.stringify({ error: { code: 400, message: said, type: 'exceed_context_size_error' } }));
    };
    const client = await bench.newClient();
    const before = bench.mock.requests.length;
    for (const stream of [true, false]) {
      const request = { model: await bench.defaultModel(), messages, stream };
      const error = await thrown(client.chat.completions.create(request as never));
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({
        status: 400,
        code: 'context_length_exceeded',
        message: expect.stringContaining("is longer than the model's context length") as unknown,
        error: { details: { provider_message: expect.stringContaining(said) as unknown } },
      });
    }
    expect(bench.mock.requests.length - before).toBe(2);
  });

  test('at its own limit: the answer is what there is, and ends with `length`', async () => {
    bench.script = (response) => void response.end(token('Hello') + lastEvents(11, 812).replace('"stop"', '"length"'));
    const client = await bench.newClient();
    const whole = await client.chat.completions.create({ model: await bench.defaultModel(), messages });
    expect(whole.choices).toMatchObject([{ finish_reason: 'length', message: { content: 'Hello' } }]);
  });

  test('behind it: the stream ends with an error, and not as if it were whole', async () => {
    bench.script = (response) => {
      response.write(token('Hello '));
      setTimeout(() => response.destroy(), 200);
    };
    const client = await bench.newClient();
    const stream = await client.chat.completions.create({ model: await bench.defaultModel(), messages, stream: true });
    const said: string[] = [];
    const error = await thrown(
      (async () => {
        for await (const { choices } of stream) said.push(choices[0]?.delta.content ?? '');
      })(),
    );
    expect(said.join('')).toBe('Hello ');
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ code: 'provider_failed' });
  });
});

describe('documents', () => {
  test('are cited as the chatbot and whoever has the key may read them', async () => {
    await bench.owner.upload('herons.md', '# Herons\n\nLindmoor has thirty-one grey herons in the marsh.');
    await eventually(async () => {
      const { items } = await bench.owner.call('GET /api/chat/documents');
      expect(items[0]?.status).toBe('searchable');
    }, 'the document should be searchable');
    const model = await bench.aChatbot({ model: 'builtin' });
    const client = await bench.newClient();
    const question = [{ role: 'user' as const, content: 'How many grey herons are in the marsh?' }];
    const answer = (await client.chat.completions.create({ model, messages: question })) as OpenAI.ChatCompletion & {
      citations: object[];
    };
    expect(answer.choices[0]?.message.content).toContain('thirty-one grey herons');
    expect(answer.citations).toEqual([
      {
        number: 1,
        document_id: expect.stringMatching(/^doc_/),
        passage_id: expect.stringMatching(/^chk_/),
        title: expect.stringContaining('herons'),
        heading: 'Herons',
        curated: false,
      },
    ]);
    const stream = await client.chat.completions.create({ model, messages: question, stream: true });
    const cited: unknown[] = [];
    for await (const chunk of stream) cited.push(...((chunk as { citations?: object[] }).citations ?? []));
    expect(cited).toEqual(answer.citations);
  });
});

describe('the AI SDK', () => {
  const provider = (apiKey: string) =>
    createOpenAICompatible({ name: 'parley', apiKey, baseURL: `${bench.running.url}/v1`, includeUsage: true });

  test('writes a text, whole and in pieces, with its usage', async () => {
    const parley = provider((await bench.aKey()).secret);
    const model = parley(await bench.defaultModel());
    const whole = await generateText({ model, instructions: 'Be brief.', prompt: 'How many herons?' });
    expect([whole.text, whole.finishReason]).toEqual(['Hello there.', 'stop']);
    expect(whole.usage).toMatchObject({ inputTokens: 11, outputTokens: 2 });
    const streamed = streamText({ model, prompt: 'How many herons?' });
    let text = '';
    for await (const piece of streamed.textStream) text += piece;
    expect([text, await streamed.finishReason]).toEqual(['Hello there.', 'stop']);
    expect(await streamed.usage).toMatchObject({ inputTokens: 11, outputTokens: 2 });
  });

  test('that is aborted stops the model', async () => {
    let isLeft = false;
    bench.script = (response) => {
      response.write(token('Hello '));
      response.once('close', () => (isLeft = true));
    };
    const left = new AbortController();
    const model = provider((await bench.aKey()).secret)(await bench.defaultModel());
    const streamed = streamText({ model, prompt: 'How many herons?', abortSignal: left.signal });
    for await (const piece of streamed.textStream) if (piece !== '') left.abort();
    await eventually(() => expect(isLeft).toBe(true), 'the model should be left');
  });

  test('is told why it is refused', async () => {
    const parley = provider((await bench.aKey()).secret);
    const error = await thrown(generateText({ model: parley('gpt-4.1'), prompt: 'Hi', maxRetries: 0 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 404, message: expect.stringContaining('chatbot') });
  });
});
