import { describe, expect, it } from '@jest/globals';
import { forecastMicros, topOf, upToNow } from './spend-month.ts';

it('adds up day by day, days without any spend too, and ends today', () => {
  const days = [
    { day: '2026-11-02', costMicros: 5, utcMicros: 0 },
    { day: '2026-11-04', costMicros: 7, utcMicros: 0 },
  ];
  expect(upToNow(days, '2026-11', '2026-11-05').map(({ sumMicros }) => sumMicros)).toEqual([0, 5, 5, 12, 12]);
  expect(upToNow(days, '2026-11', '2026-12-05')).toHaveLength(30);
});

describe('the forecast', () => {
  const at = (time: string) => Date.parse(time);
  it('extends the spending so far to the end of the month', () => {
    expect(forecastMicros(1_000, { month: '2026-11', timeZone: 'UTC', now: at('2026-11-16T00:00:00Z') })).toBe(2_000);
    expect(forecastMicros(1_000, { month: '2026-02', timeZone: 'UTC', now: at('2026-02-08T00:00:00Z') })).toBe(4_000);
  });
  it('knows when the month begins and ends in the time zone', () => {
    const month = { month: '2026-11', timeZone: 'Asia/Kathmandu' };
    expect(forecastMicros(1_000, { ...month, now: at('2026-11-15T18:15:00Z') })).toBe(2_000);
    expect(forecastMicros(1_000, { ...month, now: at('2026-11-30T18:14:59Z') })).toBe(1_000);
    expect(forecastMicros(1_000, { ...month, now: at('2026-11-30T18:15:00Z') })).toBeNull();
  });
  it('says nothing too early, and nothing of a month that is over', () => {
    expect(forecastMicros(1_000, { month: '2026-11', timeZone: 'UTC', now: at('2026-11-03T23:59:59Z') })).toBeNull();
    expect(forecastMicros(1_000, { month: '2026-11', timeZone: 'UTC', now: at('2026-11-04T00:00:00Z') })).toBe(10_000);
    expect(forecastMicros(1_000, { month: '2026-11', timeZone: 'UTC', now: at('2026-12-01T00:00:00Z') })).toBeNull();
  });
});

it('the top of the chart is round and high enough', () => {
  expect([0, 99, 2_184, 2_900_000, 9_100].map(topOf)).toEqual([1, 100, 3_000, 3_000_000, 10_000]);
});
