import { describe, expect, test } from '@jest/globals';
import { isAlive, startTimes, touch } from './session.ts';

const start = new Date('2026-11-21T10:00:00.000Z');
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);

describe('a session', () => {
  test('dies after 12 unused hours', () => {
    expect(isAlive(startTimes(start), after(11.9))).toBe(true);
    expect(isAlive(startTimes(start), after(12.1))).toBe(false);
  });
  test('dies after 30 days however much it is used', () => {
    const used = { ...startTimes(start), idleUntil: after(24 * 31) };
    expect(isAlive(used, after(24 * 30 + 1))).toBe(false);
  });
  test('is touched at most once a minute', () => {
    expect(touch(startTimes(start), after(0.01))).toBeNull();
    expect(touch(startTimes(start), after(0.02))).toEqual(after(12.02));
  });
});
