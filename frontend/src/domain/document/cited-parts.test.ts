import { expect, test } from '@jest/globals';
import { partsInPassage } from './cited-parts.ts';

const page = [
  'Parking',
  'The car park opens',
  ' at seven in the mor-',
  'ning. It closes',
  'at nine.',
  'Leave',
  '30 days',
];

test('a passage is found across the parts that a page has, whatever blanks and hyphens are between', () => {
  expect(partsInPassage(page, 'The car park opens at seven in the morning.')).toEqual([1, 2, 3]);
  expect(partsInPassage(page, 'The car  park opens\nat seven in the morning. It closes at nine.')).toEqual([
    1, 2, 3, 4,
  ]);
});

test('lines in another order are found one by one; what is too short or not there marks nothing', () => {
  expect(partsInPassage(page, 'in the morning. It closes\n\nthe car park opens')).toEqual([1, 2, 3]);
  expect(partsInPassage(page, 'Leave')).toEqual([]);
  expect(partsInPassage(page, 'Nothing of this stands on the page.')).toEqual([]);
  expect(partsInPassage([], 'The car park opens')).toEqual([]);
});
