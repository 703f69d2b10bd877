import { tokenise } from '@parley/platform/text';
import { inverseFrequency } from '../retrieval/index.ts';

/**
 * From here on a question counts as one that was answered before: the words that both have weigh three quarters of all
 * that the two have between them. An answer that is said word for word must not be one to another question.
 */
export const closeEnough = 0.75;

/** With a few answers every word is rare: weights are those of at least so many. */
const fewest = 100;

/** How many answers there are, and how many of them are asked for with a word. */
export type Known = { readonly all: number; readonly matching: ReadonlyMap<string, number> };

/**
 * How alike two questions are, from 0 to 1: rare words and long ones tell more than others, and with another figure it
 * is another question.
 */
export function closeness(question: string, other: string, { all, matching }: Known): number {
  const [asked, known] = [new Set(tokenise(question)), new Set(tokenise(other))];
  const weight = (term: string): number =>
    substance(term) * inverseFrequency(matching.get(term) ?? 0, Math.max(all, fewest));
  const sum = (terms: Iterable<string>): number => [...terms].reduce((total, term) => total + weight(term), 0);
  if (figuresOf(asked) !== figuresOf(known)) return 0;
  const both = sum([...asked].filter((term) => known.has(term)));
  const either = sum(asked) + sum(known);
  return either === 0 ? 0 : (2 * both) / either;
}

const figuresOf = (terms: ReadonlySet<string>): string =>
  [...terms]
    .filter((term) => /\p{N}/u.test(term))
    .toSorted()
    .join(' ');

const shortWord = 3;
const middlingWord = 4;
const alphabets = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]+$/u;

/** In alphabets the words that only hold a sentence together are short; figures and pairs of signs are never that. */
function substance(term: string): number {
  if (!alphabets.test(term)) return 1;
  if (term.length <= shortWord) return 0.2;
  return term.length === middlingWord ? 0.5 : 1;
}
