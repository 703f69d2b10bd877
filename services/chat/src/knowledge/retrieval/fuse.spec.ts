import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { fuse } from './fuse.ts';

const [both, words, meaning] = [newId('chunk'), newId('chunk'), newId('chunk')];

test('what both ways find comes before what one of them finds first; the words decide between equals', () => {
  const fused = fuse(
    [
      { chunkId: words, coverage: 0.8 },
      { chunkId: both, coverage: 0.6 },
    ],
    [
      { chunkId: meaning, coverage: 0, similarity: 0.9 },
      { chunkId: both, coverage: 0, similarity: 0.7 },
    ],
  );
  expect(fused.map(({ chunkId, ranks }) => [chunkId, ranks.words, ranks.meaning])).toEqual([
    [both, 2, 2],
    [words, 1, null],
    [meaning, null, 1],
  ]);
  expect(fused[0]).toMatchObject({ coverage: 0.6, similarity: 0.7, score: 61 / 62 });
  expect(fused[1]?.score).toBe(0.5);
});

test('two lists that say the same keep their order, and the first has a score of 1', () => {
  const list = [{ chunkId: both }, { chunkId: words }, { chunkId: meaning }];
  const fused = fuse(list, list);
  expect(fused.map(({ chunkId }) => chunkId)).toEqual([both, words, meaning]);
  expect(fused[0]?.score).toBeCloseTo(1, 10);
});
