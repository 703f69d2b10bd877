import type { Generation } from './generation.collection.ts';

const longestWord = 40;

/**
 * As much of a text as a model goes on from: all up to the last gap, for nobody knows whether the word behind it was
 * whole. A text that has no gap near its end stays as it is.
 */
export function beginningOf({ continued }: Pick<Generation, 'continued'>): string {
  const text = continued?.text ?? '';
  const end = text.slice(-longestWord);
  const gap = end.search(/\s\S*$/);
  return gap < 0 ? text : text.slice(0, text.length - end.length + gap + 1);
}

/** The first words behind a beginning: where that ends with a gap, they bring no second one. */
export const fitTo = (beginning: string, words: string): string =>
  /[ \t]$/.test(beginning) ? words.replace(/^[ \t]+/, '') : words;

/** What was written for this answer itself: without what it continues, which another one has been billed for. */
export function ownTextOf(generation: Pick<Generation, 'continued' | 'text' | 'textEpoch'>): string {
  const { continued, text, textEpoch } = generation;
  if (!continued) return text;
  return textEpoch === 0 ? '' : text.slice(beginningOf(generation).length);
}

/** Returns the beginning of a text, `most` units long at most; a character that takes two units is not cut in half. */
export function atMost(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
