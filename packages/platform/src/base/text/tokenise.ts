const wordPattern = /[\p{L}\p{N}]+/gu;
/** Scripts without spaces: cut into overlapping pairs. */
const pairScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/u;
/** Other scripts without spaces: cut by dictionary, because pairs don't help. */
const dictionaryScripts = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const splitByScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const longestTerm = 60;

/** Removes case, accents, vowel marks and width (Unicode NFKD without marks). */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}

/**
 * Cuts a text into terms, for every search: words folded; Chinese and Japanese as overlapping pairs (a single character
 * alone); Thai, Lao, Khmer and Burmese by `Intl.Segmenter`. The same text gives the same terms on every store.
 */
export const tokenise = (text: string): string[] => [...termsOf(text)];

/** Yields the terms of `tokenise` one by one, so that a caller can stop early. */
export function* termsOf(text: string): Generator<string> {
  for (const [word] of fold(text).matchAll(wordPattern)) {
    if (pairScripts.test(word)) for (const [part] of word.matchAll(splitByScript)) yield* termsOfPart(part);
    else yield* termsOfPart(word);
  }
}

function* termsOfPart(part: string): Generator<string> {
  if (pairScripts.test(part)) yield* pairsOf(part);
  else if (dictionaryScripts.test(part)) {
    for (const { segment, isWordLike } of segmenter.segment(part)) if (isWordLike) yield segment.slice(0, longestTerm);
  } else yield part.slice(0, longestTerm);
}

function* pairsOf(signs: string): Generator<string> {
  let last = '';
  let count = 0;
  for (const sign of signs) {
    if (count > 0) yield `${last}${sign}`;
    last = sign;
    count += 1;
  }
  if (count === 1) yield last;
}
