import { describe, expect, test } from '@jest/globals';
import { inverseFrequency, keyScore, textScore } from './ranking.ts';

describe('ranking', () => {
  test('a rare term weighs more than a common one', () => {
    expect(inverseFrequency(1, 1_000)).toBeGreaterThan(inverseFrequency(500, 1_000));
  });
  test('keys score by the terms they hold', () => {
    const weights = new Map([
      ['o|vpn', 3],
      ['o|the', 0.1],
    ]);
    expect(keyScore(['o|the', 'o|vpn', 'o|x'], weights)).toBeCloseTo(3.1);
  });
  test('of two texts with the same term the shorter one is better', () => {
    const weights = new Map([['vpn', 2]]);
    expect(textScore('vpn down', weights, 10)).toBeGreaterThan(textScore(`vpn ${'filler '.repeat(40)}`, weights, 10));
  });
});
