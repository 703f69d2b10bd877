import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { ModelFailure } from '../../../assistants/models/index.ts';
import { attemptOf, saying, type Answer } from './answer-attempt.spec-setup.ts';

describe('what a program asks for', () => {
  const completionId = newId('completion');

  test('ends the answer in front of a stop word, however it comes, and the model is asked no more', async () => {
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

  test('has what might have been the beginning of a stop word, where it was none', async () => {
    const { run } = attemptOf(saying('One, EN'), { completionId }, { maxOutputTokens: null, stops: ['END'] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One, EN' });
  });

  test('is cut where it is as long as it may be; anybody else’s answer then has failed', async () => {
    const cut: Answer = async (_request, onPart) => {
      onPart({ kind: 'text', text: 'One' });
      throw new ModelFailure('output-limit', null);
    };
    const program = attemptOf(cut, { completionId });
    expect(await program.run()).toMatchObject({ status: 'done', text: 'One', isCut: true, failure: null });
    expect(await attemptOf(cut).run()).toMatchObject({ status: 'failed', failure: 'output-limit' });
  });

  test('of the built-in assistant, which knows no tokens, is cut at four characters for each', async () => {
    const builtIn = { completionId, upstream: null };
    const { run } = attemptOf(saying('One two ', 'three'), builtIn, { maxOutputTokens: 2, stops: [] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One two ', isCut: true });
  });
});
