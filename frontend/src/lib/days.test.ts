import { expect, it } from '@jest/globals';
import { dayAfter, dayAt, daysOf, isMonth, monthFrom, startOfDay } from './days.ts';

it('months follow each other, with their days', () => {
  expect([monthFrom('2026-12', 1), monthFrom('2026-01', -1)]).toEqual(['2027-01', '2025-12']);
  expect([daysOf('2026-02').length, daysOf('2028-02').at(-1), daysOf('2026-11')[0]]).toEqual([
    28,
    '2028-02-29',
    '2026-11-01',
  ]);
  expect(['2026-11', '2026-13', '26-1', null].map(isMonth)).toEqual([true, false, false, false]);
});

it('a day is that of the time zone', () => {
  const time = Date.parse('2026-10-31T23:30:00Z');
  expect([dayAt(time, 'UTC'), dayAt(time, 'Europe/Oslo')]).toEqual(['2026-10-31', '2026-11-01']);
});

it.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00.000Z'],
  ['2027-03-29', 'Europe/Berlin', '2027-03-28T22:00:00.000Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
  // Clocks go from 23:59 to 01:00 there.
  ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, time) => expect(startOfDay(day, zone)).toBe(time));

it('days follow each other over the ends of months', () => {
  expect(['2026-12-31', '2028-02-28'].map(dayAfter)).toEqual(['2027-01-01', '2028-02-29']);
});
