import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { readCompletion } from './completion-events.ts';
import type { ModelFailure, ModelPart } from './model-client.ts';

const encoder = new TextEncoder();
const key = 'opaque/key+1';
async function partsOf(...chunks: (string | Uint8Array)[]): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  const body = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk as string)),
    { objectMode: false },
  );
  await readCompletion(body, (part) => void parts.push(part), key);
  return parts;
}
const event = (chunk: unknown) => `data: ${JSON.stringify(chunk)}\n\n`;
const delta = (content: unknown) => event({ choices: [{ index: 0, delta: { content } }] });
const finish = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });

describe('readCompletion', () => {
  test('yields text as it comes and the usage at the end', async () => {
    const usage = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 2 } });
    expect(await partsOf(delta('Hel') + delta('lo'), finish, usage, 'data: [DONE]\n\n')).toEqual([
      { kind: 'text', text: 'Hel' },
      { kind: 'text', text: 'lo' },
      { kind: 'usage', inputTokens: 7, outputTokens: 2 },
    ]);
  });

  test('tells how much of the input the server had kept; a count that cannot be is none', async () => {
    const usageOf = async (usage: object) =>
      (await partsOf(finish, event({ choices: [], usage }), 'data: [DONE]\n\n')).at(-1);
    const counts = { prompt_tokens: 7, completion_tokens: 2 };
    const told = { kind: 'usage', inputTokens: 7, outputTokens: 2 };
    const cached = (cached_tokens: unknown) => usageOf({ ...counts, prompt_tokens_details: { cached_tokens } });
    expect(await Promise.all([cached(5), cached(9), cached(0), cached('5')])).toEqual([
      { ...told, cachedTokens: 5 },
      { ...told, cachedTokens: 7 },
      told,
      told,
    ]);
    expect(await usageOf({ ...counts, prompt_tokens: 1_000_000_001 })).toBeUndefined();
  });

  test('takes any cut of the bytes, also inside a character, comments and both line ends', async () => {
    const whole = encoder.encode(`: ping\r\n\r\n${delta('grüße 👋').replaceAll('\n', '\r\n')}${finish}`);
    for (let at = 1; at < whole.length; at += 1)
      expect(await partsOf(whole.subarray(0, at), whole.subarray(at))).toEqual([{ kind: 'text', text: 'grüße 👋' }]);
  });

  test('passes over what has no text: a role, null, a missing choice', async () => {
    expect(
      await partsOf(
        event({ choices: [{ delta: { role: 'assistant', content: null } }] }),
        event({ choices: [] }),
        event({}),
        delta(''),
        finish,
      ),
    ).toEqual([]);
  });

  test('is whole at [DONE], although the server keeps the connection open and goes on', async () => {
    const body = new PassThrough();
    const parts: ModelPart[] = [];
    body.write(`${delta('All.')}data: [DONE]\n\n`);
    await readCompletion(body, (part) => void parts.push(part), null);
    body.write(delta('More'));
    expect(parts).toEqual([{ kind: 'text', text: 'All.' }]);
    await once(body, 'close');
  });

  test('ends with what the reader of the parts throws', async () => {
    const refuse = () => {
      throw new Error('enough');
    };
    const body = Readable.from([Buffer.from(delta('Half'))], { objectMode: false });
    await expect(readCompletion(body, refuse, null)).rejects.toThrow('enough');
    expect(body.destroyed).toBe(true);
  });

  test.each<[string, string[], string]>([
    ['ends without a finish reason', [delta('Half')], 'provider-cut'],
    ['sends no JSON', ['data: {"choices": \n\n'], 'provider-error'],
    ['sends null', ['data: null\n\n'], 'provider-error'],
    ['reports an error in mid-stream', [delta('Half'), event({ error: { message: 'overloaded' } })], 'provider-error'],
    ['never ends its line', Array.from({ length: 12 }, () => 'x'.repeat(100_000)), 'provider-error'],
    ['sends an event of over 64 KB', [delta('x'.repeat(65_600)), 'data: [DONE]\n\n'], 'provider-error'],
    ['sends one of over 64 KB in few characters', [delta('é'.repeat(33_000)), 'data: [DONE]\n\n'], 'provider-error'],
  ])('fails when the server %s', async (_what, chunks, reason) => {
    await expect(partsOf(...chunks)).rejects.toMatchObject({ name: 'ModelFailure', reason });
  });

  test('takes events of up to 64 KB, whole or in pieces', async () => {
    const text = 'x'.repeat(65_000);
    const sent = delta(text);
    for (const chunks of [[sent], [sent.slice(0, 9), sent.slice(9, 60_000), sent.slice(60_000)]])
      expect(await partsOf(...chunks, finish)).toEqual([{ kind: 'text', text }]);
  });

  test('tells what a model thinks, by either name and once where it comes by both', async () => {
    const thinking = (more: object) => event({ choices: [{ delta: more }] });
    const said = [
      thinking({ reasoning: 'Hm' }),
      thinking({ reasoning_content: ', three', content: null }),
      thinking({ reasoning: '.', reasoning_content: '.' }),
      thinking({ reasoning: '', reasoning_content: null }),
      thinking({ reasoning: { no: 'text' } }),
      thinking({ reasoning: ' So', content: 'Three.' }),
    ];
    expect(await partsOf(...said, finish)).toEqual([
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: ', three' },
      { kind: 'reasoning', text: '.' },
      { kind: 'reasoning', text: ' So' },
      { kind: 'text', text: 'Three.' },
    ]);
  });

  test.each<[string, string]>([
    ['no JSON', 'data: {"choices": [{"delta": {"cont\n\n'],
    ['no object', 'data: "text"\n\n'],
    ['a list', 'data: []\n\n'],
    ['choices that are no list', event({ choices: 'text' })],
    ['a choice that is none', event({ choices: ['text'] })],
    ['a delta that is none', event({ choices: [{ delta: 'text' }] })],
    ['a content that is no text', delta({ text: 'Half' })],
    ['a line that is no field', '{"choices":[{"delta":{"content":"Half"}}]}\n\n'],
    ['an event that is named error', 'event: error\ndata: {"message":"overloaded"}\n\n'],
  ])('is not whole when %s comes just before [DONE]', async (_what, malformed) => {
    const failure = { name: 'ModelFailure', reason: 'provider-error' };
    const last = 'data: [DONE]\n\n';
    await expect(partsOf(delta('Half'), malformed + last)).rejects.toMatchObject(failure);
    await expect(partsOf(delta('Half'), finish, malformed, last)).rejects.toMatchObject(failure);
  });

  test('tells what the server said of an error as of one by status: without keys, shortened', async () => {
    const message = `You sent ${key} and sk-abcdefghijkl to https://me:pass@models.example/v1?api-key=9 ${'x'.repeat(400)}`;
    for (const error of [message, { message }]) {
      const detail = await partsOf(event({ error })).catch((failure: ModelFailure) => failure.detail);
      expect(detail).toMatch(/^You sent … and sk… to https:\/\/models\.example\/v1 x+$/);
      expect(detail).toHaveLength(300);
    }
  });
});

test('a server is read no further than one chunk while its reader wants no more, and on after that', async () => {
  const body = new PassThrough({ highWaterMark: 1_000 });
  const parts: ModelPart[] = [];
  let wanted = Promise.withResolvers<void>();
  const reading = readCompletion(body, (part) => (parts.push(part), wanted.promise), null);
  body.write(delta('first'));
  await new Promise(setImmediate);
  expect([body.isPaused(), body.write(delta('x'.repeat(2_000)))]).toEqual([true, false]);
  await new Promise(setImmediate);
  expect(parts).toEqual([{ kind: 'text', text: 'first' }]);
  wanted.resolve();
  wanted = Promise.withResolvers();
  await once(body, 'drain');
  wanted.resolve();
  body.end('data: [DONE]\n\n');
  await reading;
  expect(parts.slice(1)).toEqual([{ kind: 'text', text: 'x'.repeat(2_000) }]);
});
