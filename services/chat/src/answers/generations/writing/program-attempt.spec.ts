import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { ModelFailure } from '../../../assistants/models/index.ts';
import { attemptOf, saying, type Answer } from './answer-attempt.spec-setup.ts';

describe('a program’s request', () => {
  const completionId = newId('completion');

  test('ends the answer before a stop word, in whatever pieces it comes, and asks the model no more', async () => {
    let signal: AbortSignal | null = null;
    const answer: Answer = async (request, onPart) => {
      signal = request.signal;
      for (const text of ['One, tw', 'o, EN', 'D and more']) onPart({ kind: 'text', text });
      throw new Error('It would go on.');
    };
    const { run, frames } = attemptOf(answer, { completionId }, { maxOutputTokens: null, stops: ['never', 'END'] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One, two, ', failure: null });
    expect(signal!.aborted).toBe(true);
    expect((await frames()).map(({ delta }) => delta).join('')).not.toContain('E');
  });

  test('has the text that could have been the beginning of a stop word and wasn’t', async () => {
    const { run } = attemptOf(saying('One, EN'), { completionId }, { maxOutputTokens: null, stops: ['END'] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One, EN' });
  });

  test('is cut at its limit; anyone else’s answer has failed then', async () => {
    const cut: Answer = async (_request, onPart) => {
      onPart({ kind: 'text', text: 'One' });
      throw new ModelFailure('output-limit', null);
    };
    const program = attemptOf(cut, { completionId });
    expect(await program.run()).toMatchObject({ status: 'done', text: 'One', isCut: true, failure: null });
    expect(await attemptOf(cut).run()).toMatchObject({ status: 'failed', failure: 'output-limit' });
  });

  test('of the built-in assistant, which counts no tokens, is cut at four characters for each', async () => {
    const builtIn = { completionId, upstream: null };
    const { run } = attemptOf(saying('One two ', 'three'), builtIn, { maxOutputTokens: 2, stops: [] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One two ', isCut: true });
  });
});
