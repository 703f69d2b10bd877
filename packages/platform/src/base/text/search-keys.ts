import { hash } from 'node:crypto';
import { tokenise } from './tokenise.ts';
import { stemsOf, type StemmedLanguage } from './words.ts';

/**
 * Limits the searched part of a text to what a person can send at once, which also limits the work of folding and
 * cutting. An answer can be longer.
 */
export const searchedCharacters = 32_000;
/**
 * Limits the different words of a text that are searched. Each is an index row, written in the text's transaction. A
 * page of prose has some 250; the 900 characters of a passage never have more than this.
 */
export const mostSearchKeys = 1_000;

/**
 * Returns the search keys of a text: its different words in order, or their stems if the language is given. A long text
 * gives only its first words.
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
 * Returns a short name for the owner of searched texts, which begins each of their keys in the index. Two owners can
 * share a name, which costs a little time and changes no result: the rows' own fields decide.
 */
export const searchScope = (...owner: readonly string[]): string =>
  hash('sha256', owner.join('/'), 'base64url').slice(0, 5);

/** Sets how many letters of a word's beginning have to be typed to find the word. */
const shortestBeginning = 3;
/** Limits the words of a query that are used. */
const mostWords = 12;

/**
 * The words of a query: rows have to contain each word of `whole`, and a word that begins with `beginning`, the last
 * typed word; null if it counts as whole.
 */
export type WantedWords = { readonly whole: readonly string[]; readonly beginning: string | null };

/**
 * Reads a query. The last word counts as the beginning of a word, unless it is too short. Null for a query without
 * words.
 */
export function wantedWords(query: string): WantedWords | null {
  const terms = tokenise(query);
  const last = terms.pop();
  if (last === undefined) return null;
  const others = [...new Set(terms)].slice(0, mostWords - 1);
  const isBeginning = Array.from(last).length >= shortestBeginning;
  return isBeginning ? { whole: others, beginning: last } : { whole: [...others, last], beginning: null };
}

const afterAllWords = '\uFFFF';

/** Returns the filter for rows whose field has the words of a query; null for a query without words. */
export function wordFilter<Field extends string>(field: Field, query: string) {
  const wanted = wantedWords(query);
  if (!wanted) return null;
  const { whole, beginning } = wanted;
  const begun = beginning !== null && { $elemMatch: { $gte: beginning, $lt: beginning + afterAllWords } };
  const condition = { ...(whole.length > 0 && { $all: whole }), ...begun };
  return { [field]: condition } as { readonly [Name in Field]: typeof condition };
}
