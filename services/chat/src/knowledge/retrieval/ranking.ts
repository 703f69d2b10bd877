import type { ChunkId } from '@parley/contracts';
import { stemsOf, type AskedWord, type StemmedLanguage } from '@parley/platform/text';

/** BM25 (Robertson and Zaragoza, 2009) with its usual constants. */
const k1 = 1.2;
const b = 0.75;
/** A word of the heading counts as so many of the text: it says what all of the text is about. */
const headingWeight = 2;
/** Digits of how often a word stands in a passage. */
const longestCount = 6;

/** Weight of a word that stands in `matching` of `all` passages. */
export const inverseFrequency = (matching: number, all: number): number =>
  Math.log(1 + (all - matching + 0.5) / (matching + 0.5));

/** A word of the question, and how much it tells. */
export type Weighed = AskedWord & { readonly weight: number };

/** Which word of the question each stem is. */
export const byStem = (words: readonly Weighed[]): ReadonlyMap<string, Weighed> =>
  new Map(words.flatMap((word) => word.stems.map((stem) => [stem, word] as const)));

export type Relevance = {
  /** BM25 of text and heading: it orders passages of one question. */
  readonly score: number;
  /** Which part of all that was asked about stands here, between 0 and 1: it compares questions too. */
  readonly coverage: number;
};

/**
 * How many words a passage has, and below that each with how often it stands there, one a line. It is kept beside the
 * passage, so that many are ranked without reading their texts.
 */
export function wordCounts({ heading, text }: Worded, language: StemmedLanguage | null): string {
  const counts = new Map<string, number>();
  let length = 0;
  const count = (part: string, by: number): void => {
    for (const stem of stemsOf(part, language)) {
      length += 1;
      counts.set(stem, (counts.get(stem) ?? 0) + by);
    }
  };
  count(heading ?? '', headingWeight);
  count(text, 1);
  return [length, ...[...counts].map(([stem, times]) => `${stem} ${times}`)].join('\n');
}
type Worded = { readonly heading: string | null; readonly text: string };

/** The first line of what `wordCounts` gives. */
export const lengthIn = (counts: string): number => Number.parseInt(counts, 10);

/** How well a passage fits, by its `wordCounts`; `words` are the stems of `asked`. */
export function relevance(
  counts: string,
  {
    words,
    asked,
    averageLength,
  }: { words: ReadonlyMap<string, Weighed>; asked: readonly Weighed[]; averageLength: number },
): Relevance {
  const found = new Map<Weighed, number>();
  for (const [stem, word] of words) {
    const times = timesIn(counts, stem);
    if (times > 0) found.set(word, (found.get(word) ?? 0) + times);
  }
  const length = lengthIn(counts);
  let score = 0;
  for (const [{ weight }, times] of found)
    score += (weight * times * (k1 + 1)) / (times + k1 * (1 - b + (b * length) / averageLength));
  return { score, coverage: coverageOf(asked, found) };
}

/** Candidate passages; `counts` is what `wordCounts` returned for each. */
export type Counted = readonly { readonly id: ChunkId; readonly counts: string }[];

/** Best first. */
export function rankedBy(
  candidates: Counted,
  question: { words: ReadonlyMap<string, Weighed>; asked: readonly Weighed[] },
) {
  const length = candidates.reduce((sum, { counts }) => sum + lengthIn(counts), 0);
  const judged = { ...question, averageLength: Math.max(length / Math.max(candidates.length, 1), 1) };
  return candidates
    .map(({ id, counts }) => ({ id, ...relevance(counts, judged) }))
    .toSorted((one, other) => other.score - one.score);
}

/** How often a stem stands in a passage, by its `wordCounts`; the heading counts twice. */
export function timesIn(counts: string, stem: string): number {
  const line = `\n${stem} `;
  const at = counts.indexOf(line);
  return at < 0 ? 0 : Number.parseInt(counts.slice(at + line.length, at + line.length + longestCount), 10);
}

/** At least so much of what was asked about stands in a passage that answers it: tuned by `bench/retrieval`. */
const leastCoverage = 0.42;
/** Nobody has measured where what is about the same begins: models differ in it (docs/adr/0030). */
export const leastSimilarity = 0.5;
/** What says enough of it, or means it: something close in meaning counts whatever words it has. */
export const answers = ({ coverage, similarity = 0 }: Judged): boolean =>
  coverage >= leastCoverage || similarity >= leastSimilarity;
type Judged = Pick<Relevance, 'coverage'> & { readonly similarity?: number };

/** Words that say how something is asked count only where there are no others. */
function coverageOf(asked: readonly Weighed[], found: ReadonlyMap<Weighed, number>): number {
  const telling = asked.filter(({ isAsking }) => !isAsking);
  const counted = telling.length > 0 ? telling : asked;
  const all = weightOf(counted);
  return all === 0 ? 0 : weightOf(counted.filter((word) => found.has(word))) / all;
}

function weightOf(words: Iterable<Weighed>): number {
  let sum = 0;
  for (const { weight } of words) sum += weight;
  return sum;
}
