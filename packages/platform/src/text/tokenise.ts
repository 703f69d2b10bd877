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
export function tokenise(text: string): string[] {
  const terms: string[] = [];
  for (const [word] of fold(text).matchAll(wordPattern)) {
    if (pairScripts.test(word)) for (const [part] of word.matchAll(splitByScript)) pushPart(part, terms);
    else pushPart(word, terms);
  }
  return terms;
}

function pushPart(part: string, terms: string[]): void {
  if (pairScripts.test(part)) pushPairs(Array.from(part), terms);
  else if (dictionaryScripts.test(part)) {
    for (const { segment, isWordLike } of segmenter.segment(part))
      if (isWordLike) terms.push(segment.slice(0, longestTerm));
  } else terms.push(part.slice(0, longestTerm));
}

function pushPairs(signs: readonly string[], terms: string[]): void {
  if (signs.length === 1) terms.push(signs[0] ?? '');
  for (let at = 0; at + 1 < signs.length; at += 1) terms.push(`${signs[at]}${signs[at + 1]}`);
}

/** Distinct `<scope>|<term>` keys for an index: rights are part of the key, so they apply before ranking. */
export function searchKeys(scopes: readonly string[], text: string): string[] {
  const terms = new Set(tokenise(text));
  return scopes.flatMap((scope) => [...terms].map((term) => `${scope}|${term}`));
}
