import { expect, test } from '@jest/globals';
import { nextSync } from './connection.ts';

const now = new Date('2026-11-26T09:00:00.000Z');
const source = { kind: 'web' } as Parameters<typeof nextSync>[0]['source'];
const minutesUntil = (schedule: Parameters<typeof nextSync>[0]['schedule'], failures: number) => {
  const next = nextSync({ schedule, source }, { failures, now });
  return next && (next.getTime() - now.getTime()) / 60_000;
};

test('a source that fails is tried again after twice the time, six hours at most and never later than it is due', () => {
  const failures = [1, 2, 3, 9, 10, 50];
  expect(failures.map((failed) => minutesUntil('manual', failed))).toEqual([1, 2, 4, 256, 360, 360]);
  expect(failures.map((failed) => minutesUntil('hourly', failed))).toEqual([1, 2, 4, 60, 60, 60]);
});

test('one that works is synced when it is due, and by hand only where nothing is', () => {
  expect([minutesUntil('hourly', 0), minutesUntil('daily', 0), minutesUntil('manual', 0)]).toEqual([60, 1_440, null]);
  const uploads = { schedule: 'hourly', source: { kind: 'upload' } } as const;
  expect(nextSync(uploads, { failures: 3, now })).toBeNull();
});
