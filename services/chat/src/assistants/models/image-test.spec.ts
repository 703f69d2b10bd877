import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OutboundClient } from '@parley/platform/outbound';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { pngOf, testImages, type Colour } from './image-test.ts';
import { ModelFailure, type ModelClient } from './model-client.ts';
import { runProviderTest } from './provider-test.ts';

const answering = (...words: string[]): ModelClient => ({
  answer: async (_request, onPart) => words.forEach((text) => onPart({ kind: 'text', text })),
});
const failing = (statusCode: number, responseBody: string): ModelClient => ({
  answer: async () => {
    const cause = Object.assign(new Error('HTTP'), { statusCode, responseBody });
    throw new ModelFailure('provider-error', null, { cause });
  },
});
const tested = (client: ModelClient, colour: Colour = 'blue') => testImages(client, { timeoutMs: 2_000, colour });

test('the image has 64 x 64 pixels of one color', async () => {
  const { data, info } = await sharp(pngOf([0, 0, 220]))
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height, info.channels]).toEqual([64, 64, 3]);
  expect(new Set(Array.from({ length: 64 * 64 }, (_, at) => data.subarray(at * 3, at * 3 + 3).join()))).toEqual(
    new Set(['0,0,220']),
  );
});

describe('a model that is asked for the color of an image', () => {
  test.each([
    ['Blue.', 'yes'],
    ['The image is **blue**, not more.', 'yes'],
    ['red', null],
    ['It could be red, green, blue or yellow.', null],
    ["I can't see images.", null],
    ['', null],
  ])('%s', async (said, accepts) => {
    expect(await tested(answering(said))).toBe(accepts);
  });

  test('may say it in pieces', async () => {
    expect(await tested(answering('Bl', 'ue'))).toBe('yes');
  });

  test.each([
    [400, 'image_url is not supported by this model', 'no'],
    [404, 'No endpoints found that support image input', 'no'],
    [415, 'unsupported content type', 'no'],
    [422, 'not a multimodal model', 'no'],
    [500, 'image input is not supported', 'no'],
    [400, 'max_tokens is required', null],
    [429, 'too many images', null],
    [503, 'overloaded', null],
  ])('HTTP %s %s', async (status, said, accepts) => {
    expect(await tested(failing(status, said))).toBe(accepts);
  });

  test('and does not end is not waited for', async () => {
    const silent: ModelClient = {
      answer: ({ signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    };
    expect(await testImages(silent, { timeoutMs: 20 })).toBeNull();
  });
});

describe('a test of a provider', () => {
  let server: Server;
  let baseUrl = '';
  let list: object = {};
  let answer: (body: string, response: ServerResponse) => void = () => undefined;
  let asked: string[] = [];
  const outbound = new OutboundClient({
    allows: (address) => address.startsWith('127.0.0.1'),
    connectTimeoutMs: 2_000,
  });
  beforeAll(async () => {
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        if (request.method === 'GET') return response.end(JSON.stringify(list));
        asked.push(body);
        return answer(body, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  });
  afterAll(async () => {
    await outbound.close();
    server.closeAllConnections();
    server.close();
  });
  const run = async (model?: string, kind: 'openai-compatible' | 'anthropic' = 'openai-compatible') => {
    asked = [];
    return runProviderTest(
      { kind, baseUrl, apiKey: null, outbound },
      model === undefined ? null : { model, thinks: false },
    );
  };
  const says = (word: string) => `data: {"choices":[{"delta":{"content":"${word}"}}]}\n\ndata: [DONE]\n\n`;

  test('tells what the list says of images, by whatever name its server gives that', async () => {
    const data = [
      { id: 'openrouter', architecture: { input_modalities: ['text', 'image'] } },
      { id: 'llama.cpp', architecture: { input_modalities: ['text'] } },
      { id: 'mistral', capabilities: { vision: true, completion_chat: true } },
      { id: 'old-mistral', capabilities: { vision: false } },
      { id: 'claude', capabilities: { image_input: { supported: true } } },
      { id: 'openai' },
      { id: 'odd', architecture: 'text', capabilities: ['completion'] },
    ];
    list = { data };
    const { models, images } = await run();
    expect(models).toHaveLength(data.length);
    expect(images).toEqual([
      { model: 'openrouter', accepts: 'yes' },
      { model: 'llama.cpp', accepts: 'no' },
      { model: 'mistral', accepts: 'yes' },
      { model: 'old-mistral', accepts: 'no' },
      { model: 'claude', accepts: 'yes' },
    ]);
  });

  test('asks a model of which the list says nothing, after it has said a word', async () => {
    list = { data: [{ id: 'atlas' }] };
    answer = (body, response) =>
      body.includes('image_url')
        ? response.writeHead(400).end('{"error":{"message":"image input is not supported"}}')
        : response.end(says('ready'));
    expect(await run('atlas')).toMatchObject({
      ok: true,
      models: ['atlas'],
      images: [{ model: 'atlas', accepts: 'no' }],
    });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toContain('data:image/png;base64,');
  });

  test('asks no model of which the list says it, and none that does not answer', async () => {
    list = { data: [{ id: 'atlas', architecture: { input_modalities: ['text', 'image'] } }] };
    answer = (_body, response) => response.end(says('ready'));
    expect(await run('atlas')).toMatchObject({ ok: true, images: [{ model: 'atlas', accepts: 'yes' }] });
    expect(asked).toHaveLength(1);
    list = { data: [{ id: 'atlas' }] };
    answer = (_body, response) => response.writeHead(500).end('down');
    expect(await run('atlas')).toMatchObject({ ok: false, images: [] });
    expect(asked).toHaveLength(1);
  });

  test('leaves a model unknown that answers anything else, and adds none to the list', async () => {
    list = { data: [] };
    answer = (_body, response) => response.end(says('ready'));
    expect(await run('atlas')).toMatchObject({ ok: true, models: [], images: [] });
  });
});
