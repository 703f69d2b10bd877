import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { ModelFailure } from '../../../assistants/models/index.ts';
import { attemptOf, saying, type Answer } from './answer-attempt.spec-setup.ts';

describe('answers to programs', () => {
  const completionId = newId('completion');

  test('ends the answer before a stop word, however it is split, and stops the model', async () => {
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

  test('keeps text that looked like the beginning of a stop word but wasn’t', async () => {
    const { run } = attemptOf(saying('One, EN'), { completionId }, { maxOutputTokens: null, stops: ['END'] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One, EN' });
  });

  test('cuts a program’s answer at its limit; anyone else’s answer fails there', async () => {
    const cut: Answer = async (_request, onPart) => {
      onPart({ kind: 'text', text: 'One' });
      throw new ModelFailure('output-limit', null);
    };
    const program = attemptOf(cut, { completionId });
    expect(await program.run()).toMatchObject({ status: 'done', text: 'One', isCut: true, failure: null });
    expect(await attemptOf(cut).run()).toMatchObject({ status: 'failed', failure: 'output-limit' });
  });

  test('cuts the built-in assistant, which counts no tokens, at four characters per token', async () => {
    const builtIn = { completionId, upstream: null };
    const { run } = attemptOf(saying('One two ', 'three'), builtIn, { maxOutputTokens: 2, stops: [] });
    expect(await run()).toMatchObject({ status: 'done', text: 'One two ', isCut: true });
  });
});
