import { expect, test } from '@jest/globals';
import type { ModelPart } from '../../../assistants/models/index.ts';
import type { ProcessTime } from './process-time.ts';
import { WordsInTurn } from './words-in-turn.ts';

const word = (text: string): ModelPart => ({ kind: 'text', text });
/** Returns the words of an answer that get their turn when `give` is called; the turn lasts for `count` words. */
function wordsWithoutTurn(pass?: (part: ModelPart) => void) {
  const passed: ModelPart[] = [];
  const waiting: Parameters<ProcessTime['wait']>[1][] = [];
  const time = { isFree: () => false, wait: (_key, speak) => void waiting.push(speak) } as ProcessTime;
  const key = { flow: 'f', organisation: 'o', person: 'p' };
  const words = new WordsInTurn({ time, key, pass: pass ?? ((part) => void passed.push(part)) });
  const give = (count = Infinity): void => {
    const speak = waiting.shift()!;
    let left = count;
    if (speak(() => (left -= 1) <= 0)) waiting.unshift(speak);
  };
  return { words, passed, give };
}

test('keeps words before their turn in order, and passes usage immediately', async () => {
  const { words, passed, give } = wordsWithoutTurn();
  for (const text of ['a', 'b', 'c']) void words.take(word(text));
  void words.take({ kind: 'usage', inputTokens: 1, outputTokens: 1 });
  expect([passed.length, words.isWaiting]).toEqual([1, true]);
  give(2);
  expect([passed.slice(1), words.isWaiting]).toEqual([['a', 'b'].map(word), true]);
  const drained = words.drained();
  give();
  await drained;
  expect([passed.slice(1), words.isWaiting]).toEqual([['a', 'b', 'c'].map(word), false]);
});

test('an error in a turn reaches the next word, and the caller that waits for the end', async () => {
  const { words, give } = wordsWithoutTurn(() => {
    throw new Error('enough');
  });
  void words.take(word('a'));
  const drained = words.drained();
  give();
  await expect(drained).rejects.toThrow('enough');
  expect(() => words.take(word('b'))).toThrow('enough');
});
