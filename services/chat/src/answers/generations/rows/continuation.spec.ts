import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { beginningOf, fitTo, ownTextOf } from './continuation.ts';

const from = (text: string) => ({ continued: { answerId: newId('message'), text, citations: [] } });

test.each([
  ['keep the row with the lowest', 'keep the row with the '],
  ['It restarted twice.', 'It restarted '],
  ['One.\n\nTwo', 'One.\n\n'],
  ['Whole ', 'Whole '],
  [`See ${'x'.repeat(40)}`, `See ${'x'.repeat(40)}`],
  ['日本語の文章', '日本語の文章'],
])('continues %j after its last whitespace', (text, beginning) => {
  expect(beginningOf(from(text))).toBe(beginning);
});

test('begins a new answer with an empty text', () => {
  expect(beginningOf({ continued: null })).toBe('');
});

test('joins two gaps to one, but keeps the indentation of a new line', () => {
  expect(fitTo('with the ', ' lowest')).toBe('lowest');
  expect(fitTo('list:\n', '  - one')).toBe('  - one');
  expect(fitTo('日本語', ' 文')).toBe(' 文');
});

test('counts only the text after the continued one as the answer’s own words', () => {
  const continued = from('with the lowest');
  expect(ownTextOf({ ...continued, text: 'with the lowest', textEpoch: 0 })).toBe('');
  expect(ownTextOf({ ...continued, text: 'with the lowest number.', textEpoch: 1 })).toBe('lowest number.');
  expect(ownTextOf({ continued: null, text: 'All.', textEpoch: 1 })).toBe('All.');
});
