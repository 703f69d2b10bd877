import { describe, expect, test } from '@jest/globals';
import { bucketCount, bucketOf, percentileOf } from './first-token-buckets.ts';
import { lastSteps, startOf, stepsOf, toStart } from './metric-steps.ts';
import { countedApart, providerOf, sumsOf } from './metric.ts';

describe('a percentile of first tokens', () => {
  test('is as far from the truth as a bucket is wide at most, and adds up over rows', () => {
    const times = Array.from({ length: 1_000 }, (_, index) => 20 + index * 7);
    const counts = Array.from({ length: bucketCount }, () => 0);
    for (const ms of times) counts[bucketOf(ms)]! += 1;
    for (const share of [0.05, 0.5, 0.95]) {
      const exact = times[Math.ceil(share * times.length) - 1]!;
      expect(Math.abs(percentileOf(counts, share)! - exact) / exact).toBeLessThan(0.1);
    }
    const doubled = counts.map((count) => 2 * count);
    expect(percentileOf(doubled, 0.5)).toBe(percentileOf(counts, 0.5));
  });

  test('is none where nothing was counted; every time has a bucket', () => {
    expect(percentileOf([], 0.5)).toBeNull();
    expect([0, 10, 11, 600_000, 600_001, 1e12].map(bucketOf)).toEqual([0, 0, 1, 30, 31, 31]);
  });
});

describe('steps', () => {
  const at = new Date('2026-10-25T12:34:56.000Z');

  test('are minutes and hours in UTC, days where the organisation is', () => {
    const late = new Date('2026-11-21T23:30:00.000Z');
    const names = (['minute', 'hour', 'day'] as const).map((step) => startOf(step, late, 'Europe/Oslo'));
    expect(names).toEqual(['2026-11-21T23:30', '2026-11-21T23', '2026-11-22']);
    expect(toStart('minute', names[0]!)).toBe('2026-11-21T23:30:00.000Z');
    expect(toStart('hour', names[1]!)).toBe('2026-11-21T23:00:00.000Z');
  });

  test('have each day once, the days of 23 and of 25 hours too', () => {
    const spring = { at: new Date('2026-03-30T10:00:00.000Z'), timeZone: 'Europe/Oslo' };
    expect(lastSteps('day', 3, spring)).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    const autumn = { at, timeZone: 'Europe/Oslo' };
    expect(lastSteps('day', 2, autumn)).toEqual(['2026-10-24', '2026-10-25']);
    const hours = Array.from({ length: 25 }, (_, hour) => new Date(Date.UTC(2026, 9, 24, 22 + hour, 30)));
    expect(new Set(hours.map((hour) => startOf('day', hour, 'Europe/Oslo')))).toEqual(new Set(['2026-10-25']));
  });

  test('of a span are those that it shows and as many before them as are over', () => {
    const { before, current } = stepsOf('month', { at, timeZone: 'UTC' });
    expect([before.length, current.length, current.at(-1)]).toEqual([29, 30, '2026-10-25']);
    expect([before.at(-1), current[0]]).toEqual(['2026-09-25', '2026-09-26']);
    expect(stepsOf('hour', { at, timeZone: 'UTC' }).current).toHaveLength(60);
  });
});

describe('an attempt', () => {
  const ended = { outcome: 'failed', inputTokens: 3, outputTokens: 4, queuedMs: 5, firstTokenMs: null } as never;

  test('counts with its tokens, as failed where it is, and with the wait for its first word', () => {
    expect(sumsOf(ended)).toEqual({ attempts: 1, failed: 1, inputTokens: 3, outputTokens: 4 });
    const slow = { ...(ended as object), outcome: 'stopped', queuedMs: 5_000, firstTokenMs: 4 } as never;
    expect(sumsOf(slow)).toEqual({
      attempts: 1,
      failed: 0,
      inputTokens: 3,
      outputTokens: 4,
      [`first${bucketOf(5_004)}`]: 1,
    });
  });

  test.each([
    ['failed', 1],
    ['interrupted', 1],
    ['stopped', 0],
    ['done', 0],
  ])('that is %s counts as %i failed', (outcome, failed) => {
    expect(sumsOf({ ...(ended as object), outcome } as never).failed).toBe(failed);
  });

  test('is that of a host, of the built-in assistant, or of a provider that was not told', () => {
    expect(providerOf({ model: 'prv_1/x', upstream: { host: 'llm:8000', model: 'x' } })).toBe('llm:8000');
    expect(providerOf({ model: 'builtin', upstream: null })).toBe('builtin');
    expect(providerOf({ model: 'prv_1/a/b' })).toBe('prv_1');
  });
});

test('what has a row keeps it, others get one while there is room', () => {
  expect([...countedApart(['a', 'b', 'c', 'd'], new Set(['d']), 2)]).toEqual(['a', 'b', 'd']);
  expect([...countedApart(['other'], new Set(), 5)]).toEqual([]);
});
