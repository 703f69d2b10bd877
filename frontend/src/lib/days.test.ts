import { expect, it } from '@jest/globals';
import { dayAfter, daysOf, isMonth, monthFrom } from './days.ts';

it('months follow each other, with their days', () => {
  expect([monthFrom('2026-12', 1), monthFrom('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  expect([daysOf('2026-02').length, daysOf('2028-02').at(-1), daysOf('2026-11')[0]]).toEqual([
    28,
    '2028-02-29',
    '2026-11-01',
  ]);
  expect(['2026-11', '2026-13', '26-1', null].map(isMonth)).toEqual([true, false, false, false]);
});

it('days follow each other over the ends of months', () => {
  expect(['2026-12-31', '2028-02-28'].map(dayAfter)).toEqual(['2027-01-01', '2028-02-29']);
});
