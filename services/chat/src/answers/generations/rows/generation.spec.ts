import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import type { Generation } from './generation.collection.ts';
import { charactersOf, endedAttempt, estimateTokens, isRefusal, isUnsent, takeoverOf } from './generation.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const dead = { now, isLeaseVoid: false, sign: 'dead', lateForMs: 0 } as const;
const itsProcessIsGone = { ...dead, isLeaseVoid: true } as const;
const running = (epoch: number, leaseEndsInMs: number) =>
  ({ status: 'running', epoch, leaseHolder: 'w', leaseUntil: new Date(now.getTime() + leaseEndsInMs) }) as Generation;

describe('the decision to take an answer over', () => {
  test('claims a queued answer', () => {
    expect(takeoverOf({ status: 'queued', epoch: 0, leaseUntil: null } as Generation, dead)).toBe('claim');
  });
  test('leaves an answer with a valid lease alone, unless its process is known to be dead', () => {
    expect(takeoverOf(running(1, 5_000), dead)).toBe('leave');
    expect(takeoverOf(running(1, 5_000), itsProcessIsGone)).toBe('restart');
  });
  test('restarts an answer with an expired lease once, then gives the answer up', () => {
    expect(takeoverOf(running(1, 0), dead)).toBe('restart');
    expect(takeoverOf(running(1, 1), dead)).toBe('leave');
    expect(takeoverOf(running(1, -1), dead)).toBe('restart');
    expect(takeoverOf(running(1, 0), dead)).toBe('restart');
    expect(takeoverOf(running(1, 1), dead)).toBe('leave');
    expect(takeoverOf(running(2, -1), dead)).toBe('give-up');
  });
  test('respects an expired lease while its holder may live: a minute if unknown, five if it gives signs', () => {
    const late = (sign: 'alive' | 'unknown', lateForMs: number) =>
      takeoverOf(running(1, -1), { ...dead, sign, lateForMs });
    expect([late('unknown', 59_999), late('unknown', 60_000)]).toEqual(['leave', 'restart']);
    expect([late('alive', 60_000), late('alive', 299_999), late('alive', 300_000)]).toEqual([
      'leave',
      'leave',
      'restart',
    ]);
    expect(takeoverOf(running(1, 1), { ...dead, sign: 'unknown', lateForMs: 60_000 })).toBe('leave');
    const givenBack = { ...running(1, -1), leaseHolder: null };
    expect(takeoverOf(givenBack, { ...dead, sign: 'unknown' })).toBe('restart');
    expect(takeoverOf(running(2, -1), { ...dead, sign: 'alive' })).toBe('leave');
  });
  test('treats a lease without an end as expired', () => {
    expect(takeoverOf({ ...running(1, 0), leaseUntil: null }, dead)).toBe('restart');
  });
  test('restarts an answer whenever a worker gave it back, without counting this as a lost attempt', () => {
    expect(takeoverOf({ ...running(7, -1), leaseHolder: null }, dead)).toBe('restart');
    expect(takeoverOf({ ...running(4, -1), handOvers: 3 }, dead)).toBe('restart');
    expect(takeoverOf({ ...running(5, -1), handOvers: 3 }, dead)).toBe('give-up');
  });
  test('never restarts an answer that a program waited for, however its worker was lost', () => {
    const completionId = newId('completion');
    expect(takeoverOf({ ...running(1, 5_000), completionId }, dead)).toBe('leave');
    expect(takeoverOf({ ...running(1, -1), completionId }, dead)).toBe('give-up');
    const givenBack = { ...running(1, -1), leaseHolder: null, completionId };
    expect(takeoverOf(givenBack, dead)).toBe('give-up');
  });
  test.each(['done', 'stopped', 'failed', 'interrupted'] as const)('leaves a %s answer alone', (status) => {
    expect(takeoverOf({ status, epoch: 1, leaseUntil: null } as Generation, itsProcessIsGone)).toBe('leave');
  });
});

test('estimates tokens at four characters each', () => {
  expect([estimateTokens(''), estimateTokens('abcd'), estimateTokens('abcde')]).toEqual([0, 1, 2]);
  expect(charactersOf(3)).toBe(12);
});

test('treats a question as unsent only if a budget refused each of its answers before a word', () => {
  const refused = { failure: 'budget-spent', text: '' } as const;
  expect(isUnsent([refused, refused])).toBe(true);
  expect(isUnsent([])).toBe(false);
  expect(isUnsent([refused, { ...refused, text: 'Half of it' }])).toBe(false);
  expect(isUnsent([refused, { ...refused, failure: 'budget-unavailable' }])).toBe(false);
});

describe('the record of an ended attempt', () => {
  const at = (ms: number) => new Date(now.getTime() + ms);
  const usage = { inputTokens: 10, outputTokens: 5, cachedTokens: 0, isEstimated: false };
  const end = { outcome: 'done', isFinal: true, usage, now: at(900) } as unknown as Parameters<typeof endedAttempt>[1];
  const generation = { epoch: 2, queuedAt: now, startedAt: at(100), firstTokenAt: at(400) } as Generation;

  test('records usage, and the times until the first word and until the end', () => {
    expect(endedAttempt(generation, end)).toEqual({
      attempt: 2,
      outcome: 'done',
      final: true,
      ...usage,
      queuedMs: 100,
      firstTokenMs: 300,
      durationMs: 800,
      at: at(900),
    });
  });

  test('counts all time since the question as waiting if the attempt never started', () => {
    const ended = endedAttempt({ ...generation, startedAt: null, firstTokenAt: null }, end);
    expect(ended).toMatchObject({ queuedMs: 900, firstTokenMs: null, durationMs: 900 });
  });

  test('records no negative times if clocks differ', () => {
    const ended = endedAttempt(
      { ...generation, startedAt: at(-100), firstTokenAt: at(-200) },
      { ...end, now: at(-300) },
    );
    expect(ended).toMatchObject({ queuedMs: 0, firstTokenMs: 0, durationMs: 0 });
  });

  test.each([
    ['budget-spent', true],
    ['budget-unavailable', true],
    ['provider-stalled', false],
    [null, false],
  ] as const)('records for %s that the attempt was refused: %s', (failure, isRefused) => {
    expect(isRefusal(failure)).toBe(isRefused);
    expect('isRefused' in endedAttempt(generation, { ...end, failure })).toBe(isRefused);
  });

  test('records the reason of a failure', () => {
    expect(endedAttempt(generation, { ...end, outcome: 'failed', failure: 'output-limit' }).cause).toBe('output-limit');
    expect(endedAttempt(generation, end)).not.toHaveProperty('cause');
  });
});
