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
])('a model continues %j after its last gap', (text, beginning) => {
  expect(beginningOf(from(text))).toBe(beginning);
});

test('a new answer begins with nothing', () => {
  expect(beginningOf({ continued: null })).toBe('');
});

test('joins two gaps to one, and keeps the beginning of a line', () => {
  expect(fitTo('with the ', ' lowest')).toBe('lowest');
  expect(fitTo('list:\n', '  - one')).toBe('  - one');
  expect(fitTo('日本語', ' 文')).toBe(' 文');
});

test('its own words are those after what it continues', () => {
  const continued = from('with the lowest');
  expect(ownTextOf({ ...continued, text: 'with the lowest', textEpoch: 0 })).toBe('');
  expect(ownTextOf({ ...continued, text: 'with the lowest number.', textEpoch: 1 })).toBe('lowest number.');
  expect(ownTextOf({ continued: null, text: 'All.', textEpoch: 1 })).toBe('All.');
});
