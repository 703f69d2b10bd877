import { hash } from 'node:crypto';
import { tokenise } from './tokenise.ts';
import { stemsOf, type StemmedLanguage } from './words.ts';

/**
 * So much of a text is searched: what a person can send at once. It bounds the work, of which folding and cutting are
 * the larger part; an answer may be longer.
 */
export const searchedCharacters = 32_000;
/**
 * So many different words of a text are searched: each is a row in an index that is written in the text's transaction.
 * A page of prose has some 250, the 900 characters of a passage never have more.
 */
export const mostSearchKeys = 1_000;

/**
 * The different words by which a text is found, in the order in which they come: the first ones of a long text. By their
 * stems where a language is given.
 */
export function searchKeys(text: string, language: StemmedLanguage | null = null): string[] {
  const keys = new Set<string>();
  for (const term of stemsOf(text.slice(0, searchedCharacters), language)) {
    keys.add(term);
    if (keys.size === mostSearchKeys) break;
  }
  return [...keys];
}

/**
 * A short name for whose words these are, for the front of an index: it stands there once for each word. Two owners may
 * share one, which costs them a little time: what a search shows is decided by the rows' own fields.
 */
export const searchScope = (...owner: readonly string[]): string =>
  hash('sha256', owner.join('/'), 'base64url').slice(0, 5);

/** From so many letters on, the beginning of a word finds it. */
const shortestBeginning = 3;
/** So many words of a query count. */
const mostWords = 12;

/** What a query asks for: rows that hold each of the words, and one that begins as the last one that was typed. */
export type WantedWords = { readonly whole: readonly string[]; readonly beginning: string | null };

/** The last word counts as the beginning of one, unless it is too short for that. Null for a query without words. */
export function wantedWords(query: string): WantedWords | null {
  const terms = tokenise(query);
  const last = terms.pop();
  if (last === undefined) return null;
  const others = [...new Set(terms)].slice(0, mostWords - 1);
  const isBeginning = Array.from(last).length >= shortestBeginning;
  return isBeginning ? { whole: others, beginning: last } : { whole: [...others, last], beginning: null };
}

const afterAllWords = '\uFFFF';

/** The filter by which rows are found that have the words of a query in a field; null for a query without words. */
export function wordFilter<Field extends string>(field: Field, query: string) {
  const wanted = wantedWords(query);
  if (!wanted) return null;
  const { whole, beginning } = wanted;
  const begun = beginning !== null && { $elemMatch: { $gte: beginning, $lt: beginning + afterAllWords } };
  const condition = { ...(whole.length > 0 && { $all: whole }), ...begun };
  return { [field]: condition } as { readonly [Name in Field]: typeof condition };
}
