import { expect, it } from '@jest/globals';
import { byModel, topOf } from './usage-month.ts';

it('models come by what they have cost, then by what they have used', () => {
  const row = { day: '2026-11-21', inputTokens: 1, outputTokens: 1, answers: 1, costMicros: 0, unpricedAttempts: 1 };
  const rows = [
    { ...row, model: 'a' },
    { ...row, model: 'b', inputTokens: 2 },
    { ...row, model: 'b' },
    { ...row, model: 'c', costMicros: 5, unpricedAttempts: 0 },
  ];
  expect(byModel(rows)).toEqual([
    { model: 'c', inputTokens: 1, outputTokens: 1, answers: 1, costMicros: 5, unpricedAttempts: 0 },
    { model: 'b', inputTokens: 3, outputTokens: 2, answers: 2, costMicros: 0, unpricedAttempts: 2 },
    { model: 'a', inputTokens: 1, outputTokens: 1, answers: 1, costMicros: 0, unpricedAttempts: 1 },
  ]);
});

it.each([
  [0, 4],
  [7, 8],
  [10, 10],
  [190_000, 200_000],
  [850_000, 1_000_000],
])('a chart with %d at most ends at %d', (highest, top) => expect(topOf(highest)).toBe(top));
