import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { missingIn, stands } from './judge-answer.ts';

const documentId = newId('document');
const found = [{ documentId, heading: 'Relay settings', text: 'Relay 51N-7 trips feeder 7 at 40 A.' }];

test.each([
  ['28 days', 'You have 28 DAYS of leave.', true],
  ['28 days', 'You have 28 paid days.', false],
  ['28 days', 'You have 128 days.', false],
  ['cafe', 'The café is open.', true],
  ['feeder 7', 'Feeder\n7 trips.', true],
  ['有給休暇', '年に28日の有給休暇があります。', true],
  ['→', 'a → b', true],
  ['→', 'a b', false],
])('finds %p in %p: %p', (wanted, text, is) => {
  expect(stands(wanted, text)).toBe(is);
});

test('names missing words of the answer, and missing passages by document and words', () => {
  const other = newId('document');
  const expects = {
    words: ['40 A', '0.6 s'],
    passages: [
      { documentId, words: 'trips feeder 7' },
      { documentId, words: 'relay settings' },
      { documentId, words: 'feeder 8' },
      { documentId: other, words: null },
    ],
  };
  expect(missingIn(expects, { text: 'At 40 A.', found })).toEqual({
    words: ['0.6 s'],
    passages: [
      { documentId, words: 'feeder 8' },
      { documentId: other, words: null },
    ],
  });
});
