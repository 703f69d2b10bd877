import { describe, expect, test } from '@jest/globals';
import { snippetOf } from './search-hit.ts';

describe('snippetOf', () => {
  test('marks each word that was asked for, whatever its accents and case', () => {
    const { snippet, ranges } = snippetOf('The Café is near the cafe.', 'cafe');
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['Café', 'cafe']);
  });
  test('a match far in starts the snippet near it', () => {
    const { snippet, ranges } = snippetOf(`${'filler words here '.repeat(30)}needle in it`, 'needle');
    expect(snippet.startsWith('… ')).toBe(true);
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['needle']);
  });
  test('nothing found marks nothing', () =>
    expect(snippetOf('plain text', 'absent')).toEqual({ snippet: 'plain text', ranges: [] }));
});
