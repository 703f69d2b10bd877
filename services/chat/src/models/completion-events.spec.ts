import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { readCompletion } from './completion-events.ts';
import type { ModelPart } from './model-client.ts';

const encoder = new TextEncoder();
async function partsOf(...chunks: (string | Uint8Array)[]): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  const body = Readable.from(
    chunks.map((chunk) => Buffer.from(chunk as string)),
    { objectMode: false },
  );
  await readCompletion(body, (part) => parts.push(part));
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
    await readCompletion(body, (part) => parts.push(part));
    body.write(delta('More'));
    expect(parts).toEqual([{ kind: 'text', text: 'All.' }]);
    await once(body, 'close');
  });

  test('ends with what the reader of the parts throws', async () => {
    const refuse = () => {
      throw new Error('enough');
    };
    const body = Readable.from([Buffer.from(delta('Half'))], { objectMode: false });
    await expect(readCompletion(body, refuse)).rejects.toThrow('enough');
    expect(body.destroyed).toBe(true);
  });

  test.each<[string, string[], string]>([
    ['ends without a finish reason', [delta('Half')], 'provider-cut'],
    ['sends no JSON', ['data: {"choices": \n\n'], 'provider-error'],
    ['sends null', ['data: null\n\n'], 'provider-error'],
    ['reports an error in mid-stream', [delta('Half'), event({ error: { message: 'overloaded' } })], 'provider-error'],
    ['never ends its line', Array.from({ length: 12 }, () => 'x'.repeat(100_000)), 'provider-error'],
  ])('fails when the server %s', async (_what, chunks, reason) => {
    await expect(partsOf(...chunks)).rejects.toMatchObject({ name: 'ModelFailure', reason });
  });
});
