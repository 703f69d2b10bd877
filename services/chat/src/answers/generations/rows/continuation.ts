import type { Generation } from './generation.collection.ts';

const longestWord = 40;

/**
 * Returns the part of a text that a model continues: up to the last gap, because the word after it may be incomplete. A
 * text without a gap near its end stays as it is.
 */
export function beginningOf({ continued }: Pick<Generation, 'continued'>): string {
  const text = continued?.text ?? '';
  const end = text.slice(-longestWord);
  const gap = end.search(/\s\S*$/);
  return gap < 0 ? text : text.slice(0, text.length - end.length + gap + 1);
}

/** Returns the first words after a beginning, without a second gap if that ends with one. */
export const fitTo = (beginning: string, words: string): string =>
  /[ \t]$/.test(beginning) ? words.replace(/^[ \t]+/, '') : words;

/** Returns what was written for this answer itself, without what it continues, which was billed for another one. */
export function ownTextOf(generation: Pick<Generation, 'continued' | 'text' | 'textEpoch'>): string {
  const { continued, text, textEpoch } = generation;
  if (!continued) return text;
  return textEpoch === 0 ? '' : text.slice(beginningOf(generation).length);
}

/** Returns the beginning of a text, at most `most` units long; a character of two units is not cut in half. */
export function atMost(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
