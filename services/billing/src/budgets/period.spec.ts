import { describe, expect, test } from '@jest/globals';
import type { BudgetPeriod } from '@parley/contracts';
import { periodAt } from './period.ts';

type Row = [BudgetPeriod, string, string, string, string, string];
const found = (period: BudgetPeriod, zone: string, now: string) => {
  const { start, beganAt, resetsAt } = periodAt(period, zone, new Date(now));
  return [start, beganAt.toISOString(), resetsAt.toISOString()];
};

describe('the period in which a moment lies', () => {
  test.each<Row>([
    ['day', 'UTC', '2026-11-21T10:00:00Z', '2026-11-21', '2026-11-21T00:00:00.000Z', '2026-11-22T00:00:00.000Z'],
    // Monday to Monday, over the end of a year.
    ['week', 'UTC', '2027-01-02T10:00:00Z', '2026-12-28', '2026-12-28T00:00:00.000Z', '2027-01-04T00:00:00.000Z'],
    ['week', 'UTC', '2026-11-23T00:00:00Z', '2026-11-23', '2026-11-23T00:00:00.000Z', '2026-11-30T00:00:00.000Z'],
    ['month', 'UTC', '2028-02-29T23:59:59.999Z', '2028-02-01', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
    ['month', 'UTC', '2026-12-31T10:00:00Z', '2026-12-01', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    // It is December there already.
    [
      'month',
      'Pacific/Kiritimati',
      '2026-11-30T10:00:00Z',
      '2026-12-01',
      '2026-11-30T10:00:00.000Z',
      '2026-12-31T10:00:00.000Z',
    ],
    [
      'month',
      'America/Los_Angeles',
      '2026-12-01T07:59:59Z',
      '2026-11-01',
      '2026-11-01T07:00:00.000Z',
      '2026-12-01T08:00:00.000Z',
    ],
  ])('a %s in %s at %s', (period, zone, now, ...expected) => {
    expect(found(period, zone, now)).toEqual(expected);
  });

  test.each<Row>([
    [
      'day',
      'Europe/Berlin',
      '2026-03-29T12:00:00Z',
      '2026-03-29',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ],
    [
      'day',
      'Europe/Berlin',
      '2026-10-25T12:00:00Z',
      '2026-10-25',
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ],
    // There was no midnight: the day began at one.
    [
      'day',
      'America/Sao_Paulo',
      '2018-11-04T12:00:00Z',
      '2018-11-04',
      '2018-11-04T03:00:00.000Z',
      '2018-11-05T02:00:00.000Z',
    ],
    // There was no 30 December at all.
    [
      'month',
      'Pacific/Apia',
      '2011-12-31T11:00:00Z',
      '2012-01-01',
      '2011-12-31T10:00:00.000Z',
      '2012-01-31T10:00:00.000Z',
    ],
  ])('a %s in %s at %s, where clocks are set', (period, zone, now, ...expected) => {
    expect(found(period, zone, now)).toEqual(expected);
  });

  test('each moment lies in exactly one, whatever the zone', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Africa/Cairo'];
    for (const zone of zones)
      for (const period of ['day', 'week', 'month'] as const)
        for (let day = 0; day < 366; day += 13) {
          const now = new Date(Date.UTC(2026, 0, 1, day % 24) + day * 86_400_000);
          const { beganAt, resetsAt } = periodAt(period, zone, now);
          expect(beganAt <= now && now < resetsAt).toBe(true);
          expect(periodAt(period, zone, resetsAt).beganAt).toEqual(resetsAt);
          expect(periodAt(period, zone, new Date(resetsAt.getTime() - 1)).beganAt).toEqual(beganAt);
        }
  });
});
