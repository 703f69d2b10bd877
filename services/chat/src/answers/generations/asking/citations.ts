import type { ChunkId, Citation } from '@parley/contracts';
import type { CuratedPassage } from '../../../knowledge/curated-answers/index.ts';
import type { FilePassage } from '../../../knowledge/files/index.ts';
import type { FoundPassage } from '../../../knowledge/retrieval/index.ts';

/** Returns the citations that aren't in the continued text yet. */
export const newCitations = (
  passages: readonly ((CuratedPassage | FoundPassage | FilePassage) & { readonly number: number })[],
  cited: readonly Citation[],
): Citation[] =>
  passages
    .filter(({ chunkId }) => !cited.some((citation) => citation.chunkId === chunkId))
    .map(({ number, documentId, chunkId, documentName, heading, place, ...passage }) => ({
      number,
      documentId,
      chunkId,
      documentName,
      heading,
      ...(place && { place }),
      ...('curated' in passage && { curated: passage.curated }),
      ...('fileId' in passage && { fileId: passage.fileId }),
    }));

/** Numbers passages: a passage that the continued text cites keeps its number, all others get free numbers. */
export function numbered<Found extends { readonly chunkId: ChunkId }>(
  found: readonly Found[],
  cited: readonly Citation[],
) {
  const numbers = new Map(cited.map(({ chunkId, number }) => [chunkId, number]));
  const taken = new Set(numbers.values());
  let last = 0;
  const nextFree = (): number => {
    do last += 1;
    while (taken.has(last));
    return last;
  };
  return found.map((passage) => ({ ...passage, number: numbers.get(passage.chunkId) ?? nextFree() }));
}

/** Returns the citations that the text refers to as `[n]`. */
export function usedCitations(text: string, citations: readonly Citation[]): Citation[] {
  const used = new Set([...text.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)));
  return citations.filter(({ number }) => used.has(number));
}
