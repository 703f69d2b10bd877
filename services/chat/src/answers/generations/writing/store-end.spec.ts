import { expect, test } from '@jest/globals';
import type { Logger } from '@parley/platform/logging';
import mongoose from 'mongoose';
import { anEnd } from '../../../testing/chat-bench.spec-setup.ts';
import type { AnswerEnd } from '../rows/answer-end.ts';
import type { Ended } from './finish-answer.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { storeEnd } from './store-end.ts';

const held = { _id: 'gen', epoch: 1, continued: null } as unknown as Generation;
const ended: Ended = { status: 'done', sequence: 2, leaf: null };

/** A store that answers with these results, one by one; `given` and `logged` record its calls. */
function tried(...answers: readonly (Error | Ended | null)[]) {
  const given: AnswerEnd[] = [];
  const logged: string[] = [];
  const log = (level: string) => () => void logged.push(level);
  const logger = { warn: log('warn'), error: log('error') } as unknown as Logger;
  const finish = {
    finish: async (_held: Generation, end: AnswerEnd) => {
      given.push(end);
      const answer = answers[given.length - 1] ?? null;
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  let mayTryOn = true;
  const parts = { finish, logger, mayTryOn: () => mayTryOn };
  return { given, logged, store: () => storeEnd(parts, held, anEnd()), giveUp: () => void (mayTryOn = false) };
}
const { MongoNetworkError, MongoServerError } = mongoose.mongo;
const tooSlow = (code: number) => new MongoServerError({ message: 'Too slow.', code });

test('keeps an end with all of its text while the store is unavailable or too slow, and warns once', async () => {
  const { store, given, logged } = tried(new MongoNetworkError('Away.'), tooSlow(251), tooSlow(50), ended);
  expect(await store()).toEqual(ended);
  expect(given.map(({ text, status }) => [text, status])).toEqual(given.map(() => ['Three quiet herons.', 'done']));
  expect([given.length, logged]).toEqual([4, ['warn']]);
});

test('gives up only when another worker has really taken over', async () => {
  const { store, given } = tried(new MongoNetworkError('Away.'), null);
  expect(await store()).toBeNull();
  expect(given).toHaveLength(2);
});

test('tries an end again that the store refuses, then with its words only, then without', async () => {
  const refused = new Error('Refused.');
  const { store, given } = tried(refused, refused, refused, { ...ended, status: 'failed' });
  expect(await store()).toMatchObject({ status: 'failed' });
  expect(given.map(({ text, status }) => [text, status])).toEqual([
    ['Three quiet herons.', 'done'],
    ['Three quiet herons.', 'done'],
    ['Three quiet herons.', 'failed'],
    ['', 'failed'],
  ]);
});

test('leaves the end to another process if its own ends', async () => {
  const { store, giveUp, given } = tried(new MongoNetworkError('Away.'));
  giveUp();
  await expect(store()).rejects.toThrow('Away.');
  expect(given).toHaveLength(1);
});
