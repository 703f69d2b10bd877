// How long a search takes among many passages: texts of the words of this folder's documents, as often as they stand
// there, so that most words of a question are held by thousands. How well it finds is not measured on them.
import type { testSearch } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { percentile } from '../product.ts';
import { allSearchable, anOwner, documentTexts, questionsOf } from './scene.ts';

const wordsPerPassage = 110;
const passagesPerFile = 1_000;
const mostSeconds = 1_800;

/** Indexed passages a second, and what the questions take, each asked once before. */
export async function measureLarge(url: string, passages: number) {
  const owner = await anOwner(url);
  const indexedPerSecond = await fill(owner, passages);
  const times = await searchTimes(owner);
  return { passages, indexedPerSecond, searchP50Ms: percentile(times, 0.5), searchP99Ms: percentile(times, 0.99) };
}

/** Uploads so many and waits until they are searchable; how many that were a second. */
export async function fill(owner: ParleyClient, passages: number): Promise<number> {
  const anyWord = wordsFrom(documentTexts().flatMap(({ text }) => text.split(/[\s|<>#]+/u).filter(Boolean)));
  const begun = performance.now();
  for (let left = passages; left > 0; left -= passagesPerFile)
    await owner.upload(`${newId('document')}.md`, textOf(anyWord, Math.min(passagesPerFile, left)));
  await allSearchable(owner, mostSeconds);
  return (passages / (performance.now() - begun)) * 1_000;
}

/** What each question takes when it is asked for the second time, in milliseconds; `onFound` hears what it found. */
export async function searchTimes(
  owner: ParleyClient,
  onFound: (found: ResponseOf<typeof testSearch>) => void = () => {},
): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < 2; round += 1)
    for (const { question: text } of [...questionsOf('questions.json'), ...questionsOf('held-out.json')]) {
      const at = performance.now();
      const found = await owner.call('POST /api/chat/search-tests', { body: { text } });
      if (round === 0) continue;
      times.push(performance.now() - at);
      onFound(found);
    }
  return times;
}

/** One after the other as chance has it, the same in each run: xorshift32 (Marsaglia, 2003). */
function wordsFrom(words: readonly string[]): () => string {
  let state = 2_463_534_242;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return words[(state >>> 0) % words.length]!;
  };
}

/** A passage for each heading. */
const textOf = (anyWord: () => string, passages: number): string =>
  Array.from(
    { length: passages },
    (_unused, at) => `## Part ${at}\n\n${Array.from({ length: wordsPerPassage }, anyWord).join(' ')}.\n`,
  ).join('\n');
