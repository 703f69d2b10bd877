import { describe, expect, test } from '@jest/globals';
import type { OutboundClient } from '@parley/platform/outbound';
import { Readable } from 'node:stream';
import { clientFor } from './client-for.ts';
import { answerAnyway, isRefusalOfImages, withoutImages } from './images.ts';
import { ModelFailure, type ModelRequest, type ModelTurn, type TurnImage } from './model-client.ts';
import { inputTokensAtMost, messagesOf, recentTurns } from './prompt.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
const base64 = jpeg.toString('base64');
const image = (name: string, read: TurnImage['read'] = async () => jpeg): TurnImage => ({ name, tokens: 800, read });
const note = (name: string): TurnImage => ({ name, tokens: 0, read: null });
const requestOf = (...turns: ModelTurn[]): ModelRequest => ({
  instructions: '',
  onlyFromDocuments: false,
  temperature: null,
  turns,
  beginning: '',
  passages: [],
  documentCount: 0,
  contextTokens: 8_000,
  maxOutputTokens: null,
  stops: [],
  locale: 'en',
  signal: new AbortController().signal,
});
const asking = (text: string, ...images: TurnImage[]) => requestOf({ role: 'person', text, images });

/** What a client sends to a server that refuses it. */
async function sentBy(kind: 'openai-compatible' | 'anthropic' | 'google', request: ModelRequest) {
  let sent = '';
  const outbound = {
    request: async (_url: string, { body }: { readonly body: string }) => {
      sent = body;
      return { statusCode: 400, headers: {}, body: Readable.from([Buffer.from('{}')]) };
    },
  } as unknown as OutboundClient;
  const server = { kind, baseUrl: 'http://models.example/v1', apiKey: 'k', outbound };
  await expect(clientFor(server, { model: 'm', thinks: false }).answer(request, () => undefined)).rejects.toThrow();
  return JSON.parse(sent) as Record<string, unknown>;
}

describe('a question with images', () => {
  const asked = asking('Which colour?', image('a.png'), note('b.png'));
  const text = '<image name="b.png"/>\n\nWhich colour?';

  test('is sent to OpenAI-compatible servers as parts, and one without any as text', async () => {
    const { messages } = await sentBy('openai-compatible', asked);
    const url = `data:image/jpeg;base64,${base64}`;
    expect((messages as unknown[])[1]).toEqual({
      role: 'user',
      content: [
        { type: 'image_url', image_url: { url } },
        { type: 'text', text },
      ],
    });
    expect((await sentBy('openai-compatible', asking('Why?', note('b.png'))))['messages']).toMatchObject([
      { role: 'system' },
      { role: 'user', content: '<image name="b.png"/>\n\nWhy?' },
    ]);
  });

  test('is sent to Anthropic and Google by their protocols', async () => {
    expect((await sentBy('anthropic', asked))['messages']).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: base64 } },
          { type: 'text', text },
        ],
      },
    ]);
    expect((await sentBy('google', asked))['contents']).toMatchObject([
      { role: 'user', parts: [{ inlineData: { mimeType: 'image/jpeg', data: base64 } }, { text }] },
    ]);
  });

  test('a question with an image may have no words', async () => {
    const { messages } = await sentBy('openai-compatible', asking('', image('a.png')));
    expect((messages as { content: unknown[] }[])[1]!.content).toHaveLength(1);
    expect((await sentBy('anthropic', asking('', image('a.png'))))['messages']).toMatchObject([
      { content: [{ type: 'image' }] },
    ]);
  });

  test('a question has a note in place of an image that is gone', async () => {
    const { messages } = await sentBy(
      'openai-compatible',
      asking(
        'Why?',
        image('a"b.png', async () => null),
      ),
    );
    expect((messages as { content: unknown }[])[1]!.content).toBe('<image name="a&quot;b.png"/>\n\nWhy?');
  });

  test('reads its images one after the other', async () => {
    let open = 0;
    const slow = async () => {
      open += 1;
      expect(open).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 5));
      open -= 1;
      return jpeg;
    };
    await sentBy('openai-compatible', asking('Why?', image('a', slow), image('b', slow)));
  });

  test('says how to take what is seen and what is not, and only then', () => {
    const system = (request: ModelRequest) => messagesOf(request)[0]!.content;
    expect(system(asking('Why?'))).not.toContain('image');
    expect(system(asking('Why?', image('a')))).not.toContain("can't see");
    expect(system(asking('Why?', note('a')))).toContain("can't see");
  });
});

describe('tokens of images', () => {
  test('are held and take the room of turns', () => {
    const [seen, told] = [asking('Why?', image('a')), asking('Why?', note('a'))];
    expect(inputTokensAtMost(seen)).toBeGreaterThanOrEqual(800 + inputTokensAtMost(asking('Why?')));
    expect(inputTokensAtMost(told) - inputTokensAtMost(asking('Why?'))).toBeLessThan(300);
    const turns = [...seen.turns, ...asking('Next?').turns];
    expect([recentTurns(turns, 700).length, recentTurns(turns, 1_000).length]).toEqual([1, 2]);
  });
});

describe('a refusal of images', () => {
  const refusal = (statusCode: number, responseBody: string) =>
    new ModelFailure('provider-error', null, { cause: Object.assign(new Error('HTTP'), { statusCode, responseBody }) });

  test.each([
    [400, 'This model does not support image_url content', true],
    [404, 'No endpoints found that support image input', true],
    [415, 'unsupported content type', true],
    [422, 'Model is not multimodal', true],
    [500, 'image input is not supported - hint: you may need to provide the mmproj', true],
    [500, 'an image of hell', false],
    [400, 'temperature is out of range', false],
    [429, 'too many images', false],
    [401, 'vision', false],
  ])('%s %s: %s', (status, said, isIt) => {
    expect(isRefusalOfImages(refusal(status, said))).toBe(isIt);
  });

  test('is followed by one request with notes in their place, and by no third one', async () => {
    const asked: ModelRequest[] = [];
    const client = {
      answer: async (request: ModelRequest) => {
        asked.push(request);
        throw refusal(400, 'no images');
      },
    };
    const request = asking('Why?', image('a.png'));
    const told: ModelTurn[][] = [];
    const answering = answerAnyway(client, request, {
      onPart: () => undefined,
      onRefused: (turns) => void told.push(turns),
    });
    await expect(answering).rejects.toThrow();
    expect(asked.map(({ turns }) => turns)).toEqual([request.turns, withoutImages(request.turns)]);
    expect(told).toEqual([[{ role: 'person', text: 'Why?', images: [note('a.png')] }]]);
  });

  test('of a question without images is the end', async () => {
    let asked = 0;
    const client = {
      answer: async () => {
        asked += 1;
        throw refusal(400, 'no images');
      },
    };
    const parts = { onPart: () => undefined, onRefused: () => undefined };
    await expect(answerAnyway(client, asking('Why?', note('a')), parts)).rejects.toThrow();
    expect(asked).toBe(1);
  });
});
