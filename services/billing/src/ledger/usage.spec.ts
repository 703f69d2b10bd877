import { expect, test } from '@jest/globals';
import { aroundMonth, usageByDay } from './usage.ts';

const entry = (at: string, more: object = {}) => ({
  at: new Date(at),
  model: 'builtin',
  inputTokens: 3,
  outputTokens: 4,
  generationId: at,
  costMicros: 5,
  day: at.slice(0, 10),
  ...more,
});

test('a day is that of the time zone, and so is the month', () => {
  const entries = [entry('2026-10-31T22:30:00Z'), entry('2026-10-31T23:30:00Z'), entry('2026-11-30T23:30:00Z')];
  const daysIn = (zone: string) => usageByDay(entries, { month: '2026-11', zone }).map(({ day }) => day);
  expect(daysIn('UTC')).toEqual(['2026-11-30']);
  expect(daysIn('Europe/Oslo')).toEqual(['2026-11-01']);
  expect(daysIn('Pacific/Kiritimati')).toEqual(['2026-11-01']);
  const { from, to } = aroundMonth('2026-12');
  expect([from.toISOString(), to.toISOString()]).toEqual(['2026-11-30T10:00:00.000Z', '2027-01-01T14:00:00.000Z']);
});

test('tokens of all attempts are added up by day and model; an answer counts once', () => {
  const at = '2026-11-21T10:41:00Z';
  const again = { generationId: 'one' };
  const entries = [entry(at, again), entry(at, again), entry(at, { model: 'prv_1/m', costMicros: null }), entry(at)];
  expect(usageByDay(entries, { month: '2026-11', zone: 'UTC' })).toEqual([
    {
      day: '2026-11-21',
      model: 'builtin',
      inputTokens: 9,
      outputTokens: 12,
      answers: 2,
      costMicros: 15,
      unpricedAttempts: 0,
    },
    {
      day: '2026-11-21',
      model: 'prv_1/m',
      inputTokens: 3,
      outputTokens: 4,
      answers: 1,
      costMicros: 0,
      unpricedAttempts: 1,
    },
  ]);
});

test('what an entry of a version without prices has cost is not known', () => {
  const old = entry('2026-11-21T10:41:00Z', { costMicros: 0, day: undefined });
  expect(usageByDay([old], { month: '2026-11', zone: 'UTC' })).toMatchObject([{ costMicros: 0, unpricedAttempts: 1 }]);
});
