const wordPattern = /[\p{L}\p{N}]+/gu;
/** Written without spaces: cut into overlapping pairs. */
const pairScripts = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/u;
/** Written without spaces too, but pairs would not help: cut by dictionary. */
const dictionaryScripts = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const splitByScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });
const longestTerm = 60;

/** Case, accents, vowel marks and width folded away (Unicode NFKD without marks). */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase();
}

/**
 * The one tokeniser behind every search: words folded; Chinese and Japanese as overlapping pairs (a single sign stands
 * alone); Thai, Lao, Khmer and Burmese cut by `Intl.Segmenter`. The same text gives the same terms on every store.
 */
export const tokenise = (text: string): string[] => [...termsOf(text)];

/** As `tokenise`, one after the other: whoever wants no more stops the work. */
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
