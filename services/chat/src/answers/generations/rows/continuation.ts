import type { Generation } from './generation.collection.ts';

const longestWord = 40;

/**
 * Returns the part of a text that a model continues: up to the last white space, because the word after it may be
 * incomplete. A text without white space near its end stays whole.
 */
export function beginningOf({ continued }: Pick<Generation, 'continued'>): string {
  const text = continued?.text ?? '';
  const end = text.slice(-longestWord);
  const gap = end.search(/\s\S*$/);
  return gap < 0 ? text : text.slice(0, text.length - end.length + gap + 1);
}

/** Returns the first words after a beginning, without their leading spaces if the beginning ends with a space. */
export const fitTo = (beginning: string, words: string): string =>
  /[ \t]$/.test(beginning) ? words.replace(/^[ \t]+/, '') : words;

/**
 * Returns the text that was written for this answer, without the continued text, which another answer has been billed
 * for.
 */
export function ownTextOf(generation: Pick<Generation, 'continued' | 'text' | 'textEpoch'>): string {
  const { continued, text, textEpoch } = generation;
  if (!continued) return text;
  return textEpoch === 0 ? '' : text.slice(beginningOf(generation).length);
}

/** Returns the beginning of a text, at most `most` UTF-16 units long; never ends within a surrogate pair. */
export function atMost(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(beginning) ? beginning.slice(0, -1) : beginning;
}
