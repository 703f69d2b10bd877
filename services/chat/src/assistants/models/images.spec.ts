import { beforeEach, describe, expect, test } from '@jest/globals';
import type { OutboundClient } from '@parley/platform/outbound';
import { Readable } from 'node:stream';
import { clientFor } from './client-for.ts';
import { answerAnyway, isRefusalOfImages, withoutImages } from './images.ts';
import { ModelFailure, plainRequest, type ModelRequest, type ModelMessage, type ModelImage } from './model-client.ts';
import { PromptBudget } from '@parley/contracts/prompt-budget';
import { inputTokensAtMost, messagesOf, recentMessages } from './prompt.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
const base64 = jpeg.toString('base64');
const image = (name: string, read: ModelImage['read'] = async () => jpeg): ModelImage => ({ name, tokens: 800, read });
const note = (name: string): ModelImage => ({ name, tokens: 0, read: null });
const requestOf = (...path: ModelMessage[]) => plainRequest(path, new AbortController().signal);
const asking = (text: string, ...images: ModelImage[]) => requestOf({ role: 'person', text, images });

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
  test('are held and take the room of messages', () => {
    const [seen, told] = [asking('Why?', image('a')), asking('Why?', note('a'))];
    expect(inputTokensAtMost(seen)).toBeGreaterThanOrEqual(800 + inputTokensAtMost(asking('Why?')));
    expect(inputTokensAtMost(told) - inputTokensAtMost(asking('Why?'))).toBeLessThan(300);
    const path = [...seen.path, ...asking('Next?').path];
    const sentWithin = (contextTokens: number) =>
      recentMessages(path, new PromptBudget({ contextTokens, maxOutputTokens: 0 })).length;
    expect([sentWithin(700), sentWithin(1_000)]).toEqual([1, 2]);
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
    // Groq, and a server that knows texts only.
    [400, "'messages.0' : for 'role:user' the following must be satisfied: messages[0].content must be a string", true],
    [400, 'Input should be a valid list[TextContentPart]', true],
    [400, 'stop must be a string', false],
    [500, 'image input is not supported - hint: you may need to provide the mmproj', true],
    [500, 'an image of hell', false],
    [400, 'temperature is out of range', false],
    [429, 'too many images', false],
    [401, 'vision', false],
  ])('%s %s: %s', (status, said, isIt) => {
    expect(isRefusalOfImages(refusal(status, said))).toBe(isIt);
  });

  /** Refuses what has an image it sees, and answers or refuses what has notes; `asked` is what it was sent. */
  const modelThat = (first: unknown, second?: unknown) => {
    const asked: ModelRequest[] = [];
    const answer = async (request: ModelRequest) => {
      asked.push(request);
      if (asked.length === 1) throw first;
      if (second) throw second;
    };
    return { asked, answer };
  };
  const earlier = (...images: ModelImage[]) =>
    requestOf(
      { role: 'person', text: 'Red?', images },
      { role: 'assistant', text: 'Yes.' },
      { role: 'person', text: 'Why?' },
    );
  const noted: [readonly ModelMessage[], unknown][] = [];
  const tries = (triesImages: boolean) => ({
    triesImages,
    onPart: () => undefined,
    onNotes: (path: ModelMessage[], why: unknown) => void noted.push([path, why]),
  });
  beforeEach(() => void noted.splice(0));

  test('is followed by one request with notes in their place, and by no third one', async () => {
    const client = modelThat(refusal(400, 'no images'), refusal(400, 'not this either'));
    const request = asking('Why?', image('a.png'));
    await expect(answerAnyway(client, request, tries(false))).rejects.toThrow();
    expect(client.asked.map(({ path }) => path)).toEqual([request.path, withoutImages(request.path)]);
    expect(noted).toEqual([[[{ role: 'person', text: 'Why?', images: [note('a.png')] }], 'refused']]);
  });

  test('is an error of its own where images of the question are only tried', async () => {
    const said = new ModelFailure('provider-error', 'It said so.', { cause: refusal(400, 'no images') });
    const answering = answerAnyway(modelThat(said), asking('Why?', image('a.png')), tries(true));
    await expect(answering).rejects.toMatchObject({ reason: 'images-refused', detail: 'It said so.' });
    expect(noted).toEqual([]);
  });

  test.each([400, 404, 415, 422])(
    'is known by %s where earlier questions have images, whatever the server says',
    async (status) => {
      const client = modelThat(refusal(status, 'messages: invalid'));
      await answerAnyway(client, earlier(image('a.png')), tries(true));
      expect(client.asked[1]!.path[0]!.images).toEqual([note('a.png')]);
      const others = modelThat(refusal(status, 'messages: invalid'));
      await expect(answerAnyway(others, earlier(), tries(true))).rejects.toThrow();
      expect(others.asked).toHaveLength(1);
    },
  );

  test('is told in the words of the first request where images had no part in it', async () => {
    const [first, second] = [refusal(400, 'temperature is out of range'), refusal(400, 'the same')];
    await expect(answerAnyway(modelThat(first, second), earlier(image('a')), tries(false))).rejects.toBe(first);
    const busy = new ModelFailure('provider-overloaded', null);
    await expect(answerAnyway(modelThat(first, busy), earlier(image('a')), tries(false))).rejects.toBe(busy);
  });

  test('is none where the request was too long: it is sent with notes, also where they are only tried', async () => {
    const client = modelThat(new ModelFailure('context-too-long', null));
    await answerAnyway(client, asking('Why?', image('a.png')), tries(true));
    expect(noted.map(([, why]) => why)).toEqual([null]);
  });

  test('of a question without images is the end', async () => {
    const client = modelThat(refusal(400, 'no images'));
    await expect(answerAnyway(client, asking('Why?', note('a')), tries(false))).rejects.toThrow();
    expect(client.asked).toHaveLength(1);
  });
});
