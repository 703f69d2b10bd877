import { expect, test } from '@jest/globals';
import { dayAt, startOfDay } from './days.ts';

test('a day begins and ends according to its time zone', () => {
  const time = Date.parse('2026-10-31T23:30:00Z');
  expect([dayAt(time, 'UTC'), dayAt(time, 'Europe/Oslo')]).toEqual(['2026-10-31', '2026-11-01']);
});

test.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21', 'Europe/Berlin', '2026-11-20T23:00:00.000Z'],
  ['2027-03-28', 'Europe/Berlin', '2027-03-27T23:00:00.000Z'],
  ['2027-03-29', 'Europe/Berlin', '2027-03-28T22:00:00.000Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00.000Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
  // Clocks in Santiago skip midnight on that day: they go from 23:59 to 01:00.
  ['2024-09-08', 'America/Santiago', '2024-09-08T04:00:00.000Z'],
])('the day %s in %s begins at %s', (day, zone, time) => expect(startOfDay(day, zone)).toBe(time));
