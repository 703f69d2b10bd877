import { describe, expect, test } from '@jest/globals';
import { mostSearchKeys, searchedCharacters, searchKeys, searchScope, wantedWords } from './search-keys.ts';

/** Returns as many different pairs of Chinese characters as a message of this length can hold. */
const differentPairs = (length: number) =>
  Array.from({ length }, (_, index) =>
    String.fromCodePoint(0x4e00 + (index % 2 === 0 ? index / 2 : (index * 7_919) % 20_000)),
  ).join('');

describe('searchKeys', () => {
  test('returns the different words of a text in order', () => {
    expect(searchKeys('Herons and more herons')).toEqual(['herons', 'and', 'more']);
  });

  test('returns the first words, as many as the index takes for one text', () => {
    const text = differentPairs(32_000);
    expect(new Set(Array.from(text, (sign, at) => sign + text[at + 1])).size).toBeGreaterThan(25_000);
    const keys = searchKeys(text);
    expect(keys).toHaveLength(mostSearchKeys);
    expect(keys[0]).toBe(text.slice(0, 2));
  });

  test('returns words of the searched part of a text only', () => {
    expect(searchKeys(`${'a '.repeat(searchedCharacters / 2 - 1)}b c`)).toEqual(['a', 'b']);
  });

  test('returns all words of the longest passage with heading and name', () => {
    expect(searchKeys(differentPairs(900))).toHaveLength(899);
    expect(mostSearchKeys).toBeGreaterThan(899);
  });
});

test('a search scope is short and differs between owners', () => {
  const scopes = [searchScope('org_1'), searchScope('org_1', 'usr_1'), searchScope('org_2', 'usr_1')];
  expect(new Set(scopes).size).toBe(3);
  expect(scopes.every((scope) => scope.length === 5)).toBe(true);
  expect(searchScope('org_1', 'usr_1')).toBe(scopes[1]);
});

describe('wantedWords', () => {
  test.each([
    ['its words, and what the last one may be the beginning of', 'Otter lyn', ['otter'], 'lyn'],
    ['a last word of less than three letters is whole', 'otter ly', ['otter', 'ly'], null],
    ['the last word also where it was there before', 'lynx otter lynx', ['lynx', 'otter'], 'lynx'],
    ['pairs of signs are whole', '東京都', ['東京', '京都'], null],
  ])('reads a query: %s', (_name, query, whole, beginning) => {
    expect(wantedWords(query)).toEqual({ whole, beginning });
  });

  test('returns at most twelve words of a query, always with the last one', () => {
    const wanted = wantedWords(Array.from({ length: 40 }, (_, at) => `word${at}`).join(' '));
    expect([wanted?.whole.length, wanted?.beginning]).toEqual([11, 'word39']);
  });

  test('returns null for a query without words', () => expect(wantedWords(' … ')).toBeNull());
});
