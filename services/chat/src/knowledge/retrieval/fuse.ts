import type { ChunkId } from '@parley/contracts';

/** As Cormack, Clarke and Büttcher chose it: how much less the second place counts than the first. */
const k = 60;

/** At which place a passage stands in either list, from 1; null where it does not. */
export type Ranks = { readonly words: number | null; readonly meaning: number | null };
type Listed = { readonly chunkId: ChunkId };

/**
 * Two orders as one by reciprocal rank fusion (Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet
 * and individual Rank Learning Methods", SIGIR 2009): places count, never scores, which no two ways of searching share. The
 * score is 1 for what is first in both.
 */
export function fuse<Found extends Listed>(
  byWords: readonly Found[],
  byMeaning: readonly Found[],
): (Found & { readonly score: number; readonly ranks: Ranks })[] {
  const all = new Map(byMeaning.map((found) => [found.chunkId, found]));
  for (const found of byWords) all.set(found.chunkId, { ...all.get(found.chunkId), ...found });
  const placesOf = (list: readonly Listed[]) => new Map(list.map(({ chunkId }, at) => [chunkId, at + 1]));
  const [words, meaning] = [placesOf(byWords), placesOf(byMeaning)];
  return [...all.values()]
    .map((found) => {
      const ranks = { words: words.get(found.chunkId) ?? null, meaning: meaning.get(found.chunkId) ?? null };
      return { ...found, score: ((partOf(ranks.words) + partOf(ranks.meaning)) * (k + 1)) / 2, ranks };
    })
    .toSorted((one, other) => other.score - one.score || placeIn(one.ranks) - placeIn(other.ranks));
}

const partOf = (rank: number | null): number => (rank === null ? 0 : 1 / (k + rank));
/** Of two that stand equal the one that the words found better. */
const placeIn = ({ words }: Ranks): number => words ?? Number.POSITIVE_INFINITY;
