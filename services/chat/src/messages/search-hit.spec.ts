import { describe, expect, test } from '@jest/globals';
import { wantedWords } from '@parley/platform/text';
import { snippetOf } from './search-hit.ts';

const find = (text: string, query: string) => snippetOf(text, wantedWords(query)!);

describe('snippetOf', () => {
  test('marks each word that was asked for, whatever its accents and case', () => {
    const { snippet, ranges } = find('The Café is near the cafe.', 'cafe');
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['Café', 'cafe']);
  });
  test('marks words that begin like the last one', () => {
    const { snippet, ranges } = find('Herons and a heron here.', 'a hero');
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['Herons', 'a', 'heron']);
  });
  test('a match far in starts the snippet near it', () => {
    const { snippet, ranges } = find(`${'filler words here '.repeat(30)}needle in it`, 'needle');
    expect(snippet.startsWith('… ')).toBe(true);
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['needle']);
  });
  test('nothing found marks nothing', () =>
    expect(find('plain text', 'absent')).toEqual({ snippet: 'plain text', ranges: [] }));
});
