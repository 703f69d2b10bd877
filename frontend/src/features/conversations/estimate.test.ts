import { expect, it } from '@jest/globals';
import { areWhole, inputMicros, tokensOf } from './estimate.ts';

it('a text has a third of its bytes as tokens', () => {
  expect(['', 'abc', 'abcd', 'ääää', '漢字'].map(tokensOf)).toEqual([0, 1, 2, 3, 2]);
});

it('input costs whole micro-units, more than nothing where it has a price, and never loses one', () => {
  const at = (price: number, tokens: number) => inputMicros({ inputMicros: price }, tokens);
  expect([at(150_000, 3), at(0, 1_000), at(2_500_000, 3_120)]).toEqual([1, 0, 7_800]);
  // Beyond what doubles multiply exactly.
  expect(at(100_000_000_000, 1_234_567)).toBe(123_456_700_000);
});

it('files are read in full in their order, as long as there is room', () => {
  const files = [1_500, 1_000, null, 400, 100].map((tokens) => ({ tokens, isSearched: tokens === 100 }));
  expect(areWhole(files, 2_000)).toEqual([true, false, false, true, false]);
});
