import { expect, it } from '@jest/globals';
import { linesOf, piecesOf } from './text-diff.ts';

const shown = (before: string, after: string) =>
  linesOf(before, after).map(({ sign, number, text }) => `${number}${sign}${text}`);

it('says line by line what became of a text, with the number of each line in its own', () => {
  expect(shown('One\nTwo\nThree', 'One\nTwo and a half\nThree\nFour')).toEqual([
    '1 One',
    '2-Two',
    '2+Two and a half',
    '3 Three',
    '4+Four',
  ]);
  expect(shown('', 'One')).toEqual(['1+One']);
  expect(shown('One\n\nTwo', 'One\n\nTwo')).toEqual(['1 One', '2 ', '3 Two']);
});

it('cuts a line at its variables', () => {
  expect(piecesOf('For {{org.name}}, {{ today }}.')).toEqual(['For ', '{{org.name}}', ', ', '{{ today }}', '.']);
});
