import { expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { createLogger } from '../../base/logging/index.ts';
import { SequenceCheck } from './sequence-check.ts';

const check = (subject: string, ...sequences: readonly number[]): boolean[] => {
  const watch = new SequenceCheck(createLogger({ name: 'test', level: 'silent' }));
  return sequences.map((sequence) => watch.check({ topic: topics.org, subject, sequence, shard: 1 }));
};

test('reports a gap in the sequence of a subject, and no repetition or first event', () => {
  expect(check('a', 5, 6, 7)).toEqual([true, true, true]);
  expect(check('a', 5, 7, 8)).toEqual([true, false, true]);
  expect(check('a', 5, 6, 5, 6, 7)).toEqual([true, true, true, true, true]);
});

test('checks the sequence of each subject separately', () => {
  const watch = new SequenceCheck(createLogger({ name: 'test', level: 'silent' }));
  const at = (subject: string, sequence: number) => watch.check({ topic: topics.org, subject, sequence, shard: 1 });
  expect([at('a', 1), at('b', 7), at('a', 2), at('b', 8), at('b', 10)]).toEqual([true, true, true, true, false]);
});

test('reports no gap after a shard was away, and keeps checking other shards', () => {
  const watch = new SequenceCheck(createLogger({ name: 'test', level: 'silent' }));
  const at = (subject: string, sequence: number, shard: number) =>
    watch.check({ topic: topics.org, subject, sequence, shard });
  expect([at('a', 1, 1), at('b', 1, 2)]).toEqual([true, true]);
  watch.forget(1);
  expect([at('a', 5, 1), at('b', 5, 2), at('a', 7, 1)]).toEqual([true, false, false]);
});
