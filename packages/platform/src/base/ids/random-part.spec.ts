import { expect, test } from '@jest/globals';
import { randomPart } from './random-part.ts';

test('no random bytes are returned twice, within a page or across pages', () => {
  const parts = Array.from({ length: 2_000 }, (_, at) => randomPart(at % 2 === 0 ? 16 : 24).toString('hex'));
  expect(new Set(parts).size).toBe(parts.length);
  expect(parts.map((part) => part.length)).toEqual(parts.map((_, at) => (at % 2 === 0 ? 32 : 48)));
});

test('returned random bytes stay the same when the next ones are drawn', () => {
  const first = randomPart(16);
  const was = first.toString('hex');
  for (let more = 0; more < 1_000; more += 1) randomPart(16);
  expect(first.toString('hex')).toBe(was);
});
