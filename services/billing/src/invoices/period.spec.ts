import { describe, expect, test } from '@jest/globals';
import { daysLater, monthsLater, periodFrom } from './period.ts';

describe('months', () => {
  test.each([
    ['2026-11-21', 1, '2026-12-21'],
    ['2026-12-01', 3, '2027-03-01'],
    ['2027-01-31', 1, '2027-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2026-08-31', 3, '2026-11-30'],
    ['2026-11-30', 36, '2029-11-30'],
  ])('%s and %i are until %s', (day, months, expected) => expect(monthsLater(day, months)).toBe(expected));
});

test('a period begins on the day of the time zone and ends the day before the next one would begin', () => {
  const newYear = new Date('2026-12-31T23:30:00Z');
  expect(periodFrom(newYear, { months: 1, timeZone: 'Europe/Berlin' })).toEqual({
    from: '2027-01-01',
    until: '2027-01-31',
  });
  expect(periodFrom(newYear, { months: 1, timeZone: 'America/Lima' })).toEqual({
    from: '2026-12-31',
    until: '2027-01-30',
  });
});

test.each(['2027-03-28T00:30:00Z', '2027-03-28T01:30:00Z', '2027-10-31T00:30:00Z', '2027-10-31T01:30:00Z'])(
  'a day on which clocks are changed is a day like any other: %s',
  (time) => {
    const day = time.slice(0, 10);
    const period = periodFrom(new Date(time), { months: 1, timeZone: 'Europe/Berlin' });
    expect(period).toEqual({ from: day, until: daysLater(monthsLater(day, 1), -1) });
  },
);
