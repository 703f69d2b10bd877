import { expect, it } from '@jest/globals';
import { dateOf, endOfChoice } from './key-end.ts';

const now = new Date(2026, 10, 21, 10, 42).getTime();

it('ends after so many days, or with the chosen day', () => {
  expect(dateOf(endOfChoice({ days: '30', date: '' }, now))).toBe('2026-12-21');
  const end = endOfChoice({ days: 'date', date: '2026-11-21' }, now);
  expect([dateOf(end), end > now]).toEqual(['2026-11-21', true]);
});

it.each(['', '2026-11-20', '2027-11-23', 'tomorrow'])('%s is no day on which a key ends', (date) => {
  expect(endOfChoice({ days: 'date', date }, now)).toBeNaN();
});
