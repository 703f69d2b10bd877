import { expect, it } from '@jest/globals';
import type { ModelKey } from '@parley/contracts';
import { addedBy, inputMicros, tokensOf, tokensOfPassages } from './estimate.ts';

it('estimates a third of a text’s bytes as tokens', () => {
  expect(['', 'abc', 'abcd', 'ääää', '漢字'].map(tokensOf)).toEqual([0, 1, 2, 3, 2]);
});

it('rounds costs up to whole micro-units, exactly, and charges something whenever there is a price', () => {
  const at = (price: number, tokens: number) => inputMicros({ inputMicros: price }, tokens);
  expect([at(150_000, 3), at(0, 1_000), at(2_500_000, 3_120)]).toEqual([1, 0, 7_800]);
  // Larger than doubles can multiply exactly.
  expect(at(100_000_000_000, 1_234_567)).toBe(123_456_700_000);
});

const text = (tokens: number | null, isSearched = false) => ({ file: { tokens, image: null }, isSearched });
/** Of 1,536 tokens. */
const image = { file: { tokens: null, image: { width: 1_568, height: 1_045, bytes: 900_000 } }, isSearched: false };
const modelOf = (tokens: number, accepts: 'yes' | 'no' = 'yes') => ({
  key: 'prv_1/atlas' as ModelKey,
  context: { tokens, isAssumed: true },
  images: { accepts, rule: 'openai-compatible' } as const,
});

it('counts files as read in full in their order, while there is room', () => {
  const files = [text(1_500), text(1_000), text(null), text(400), text(100, true)];
  expect(addedBy(files, modelOf(8_000))).toEqual([1_500, null, null, 400, null]);
  expect(addedBy(files, null)).toEqual([null, null, null, null, null]);
});

it('lets images take at most half of the context, together with files that are read in full', () => {
  expect(addedBy(Array(20).fill(image), modelOf(16_000))).toEqual([3_779, 3_779, ...Array(18).fill(null)]);
  expect(addedBy([image, text(1_500), image], modelOf(16_000))).toEqual([3_779, 1_500, null]);
  expect(addedBy([image, image, text(1_500)], modelOf(16_000))).toEqual([3_779, 3_779, null]);
  expect(addedBy([image, text(1_500)], modelOf(16_000, 'no'))).toEqual([null, 1_500]);
});

it('lets images take at most 12 MB of a request', () => {
  const large = { ...image, file: { ...image.file, image: { width: 300, height: 200, bytes: 3_500_000 } } };
  expect(addedBy(Array(4).fill(large), modelOf(128_000)).map((tokens) => tokens !== null)).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('counts passages of searched files once, up to their limit or the passages that the files have', () => {
  const model = modelOf(8_000);
  const of = (...tokens: (number | null)[]) =>
    tokensOfPassages(
      tokens.map((own) => ({ tokens: own })),
      model,
    );
  expect([of(), of(100), of(100, 50), of(90_000, 90_000), of(null)]).toEqual([0, 100, 150, 2_400, 2_400]);
  expect(tokensOfPassages([{ tokens: 90_000 }], { context: null })).toBe(0);
});
