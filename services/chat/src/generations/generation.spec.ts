import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import type { Generation } from './generation.collection.ts';
import { estimateTokens, takeoverOf } from './generation.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const running = (epoch: number, leaseEndsInMs: number) =>
  ({ status: 'running', epoch, leaseHolder: 'w', leaseUntil: new Date(now.getTime() + leaseEndsInMs) }) as Generation;

describe('takeoverOf', () => {
  test('a queued answer is claimed', () => {
    expect(
      takeoverOf({ status: 'queued', epoch: 0, leaseUntil: null } as Generation, { now, isLeaseVoid: false }),
    ).toBe('claim');
  });
  test('a held lease is respected, unless its process is known to be dead', () => {
    expect(takeoverOf(running(1, 5_000), { now, isLeaseVoid: false })).toBe('leave');
    expect(takeoverOf(running(1, 5_000), { now, isLeaseVoid: true })).toBe('restart');
  });
  test('an expired lease is restarted once, then given up', () => {
    expect(takeoverOf(running(1, 0), { now, isLeaseVoid: false })).toBe('restart');
    expect(takeoverOf(running(1, 1), { now, isLeaseVoid: false })).toBe('leave');
    expect(takeoverOf(running(1, -1), { now, isLeaseVoid: false })).toBe('restart');
    expect(takeoverOf(running(1, 0), { now, isLeaseVoid: false })).toBe('restart');
    expect(takeoverOf(running(1, 1), { now, isLeaseVoid: false })).toBe('leave');
    expect(takeoverOf(running(2, -1), { now, isLeaseVoid: false })).toBe('give-up');
  });
  test('what a worker gave back is restarted as often as that happens, and costs no attempt later', () => {
    expect(takeoverOf({ ...running(7, -1), leaseHolder: null }, { now, isLeaseVoid: false })).toBe('restart');
    expect(takeoverOf({ ...running(4, -1), handOvers: 3 }, { now, isLeaseVoid: false })).toBe('restart');
    expect(takeoverOf({ ...running(5, -1), handOvers: 3 }, { now, isLeaseVoid: false })).toBe('give-up');
  });
  test('what a program waited for is not written again, whoever lost it', () => {
    const completionId = newId('completion');
    expect(takeoverOf({ ...running(1, 5_000), completionId }, { now, isLeaseVoid: false })).toBe('leave');
    expect(takeoverOf({ ...running(1, -1), completionId }, { now, isLeaseVoid: false })).toBe('give-up');
    const givenBack = { ...running(1, -1), leaseHolder: null, completionId };
    expect(takeoverOf(givenBack, { now, isLeaseVoid: false })).toBe('give-up');
  });
  test.each(['done', 'stopped', 'failed', 'interrupted'] as const)('%s stays', (status) => {
    expect(takeoverOf({ status, epoch: 1, leaseUntil: null } as Generation, { now, isLeaseVoid: true })).toBe('leave');
  });
});

test('tokens are estimated at four characters', () => {
  expect([estimateTokens(''), estimateTokens('abcd'), estimateTokens('abcde')]).toEqual([0, 1, 2]);
});
