import { describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Problem } from '@parley/protocol';
import { Reservations, waitsMs } from './reservations.ts';

const away = new Problem('platform.unavailable');
const wish = { outputTokens: 4_096 } as Parameters<Reservations['reserve']>[0];
/** A clock that a wait moves on. */
function aTime() {
  let at = 0;
  return { now: () => at, wait: async (ms: number) => void (at += ms) };
}
/** Billing answers like that, one after the other. */
function billing(...answers: (Error | null | { outputTokens: number })[]) {
  const told = { count: 0 };
  const call = async () => {
    const answer = answers[Math.min(told.count, answers.length - 1)];
    told.count += 1;
    if (answer instanceof Error) throw answer;
    return answer ?? {};
  };
  return { told, reservations: new Reservations({ peers: { call } } as unknown as Platform) };
}

describe('before a model is asked', () => {
  test('budget is reserved, also by a billing that comes back within a minute', async () => {
    const { told, reservations } = billing(...Array<Error>(20).fill(away), null);
    const time = aTime();
    expect(await reservations.reserve(wish, {}, time)).toBe(4_096);
    expect(told.count).toBe(21);
    expect(time.now()).toBeGreaterThan(30_000);
  });

  test('billing says how many tokens of output are reserved', async () => {
    expect(await billing({ outputTokens: 300 }).reservations.reserve(wish)).toBe(300);
  });

  test('a billing that does not come back is waited for a minute, then the answer is refused', async () => {
    const time = aTime();
    const { told, reservations } = billing(away);
    const refused = { reason: 'budget-unavailable', detail: null };
    await expect(reservations.reserve(wish, {}, time)).rejects.toMatchObject(refused);
    expect(time.now()).toBeGreaterThan(waitsMs - 2_001);
    expect(time.now()).toBeLessThanOrEqual(waitsMs);
    expect(told.count).toBeGreaterThan(30);
  });

  test('nobody goes on asking for an answer that was stopped', async () => {
    const { told, reservations } = billing(away);
    const stop = new AbortController();
    const time = aTime();
    const wait = (ms: number) => (stop.abort(), time.wait(ms));
    await expect(reservations.reserve(wish, { signal: stop.signal }, { ...time, wait })).rejects.toThrow();
    expect(told.count).toBe(1);
  });

  test('a budget that is spent is named, with what would have been reserved, and not asked for again', async () => {
    const budgetId = newId('budget');
    const { told, reservations } = billing(new Problem('billing.budget-spent', { current: { budgetId, amount: 7 } }));
    await expect(reservations.reserve(wish)).rejects.toMatchObject({ reason: 'budget-spent', detail: `${budgetId} 7` });
    expect(told.count).toBe(1);
  });

  test('a budget that other answers reserve is said to be reserved', async () => {
    const current = { budgetId: newId('budget'), amount: 7, isOnlyReserved: true };
    const { reservations } = billing(new Problem('billing.budget-spent', { current }));
    await expect(reservations.reserve(wish)).rejects.toMatchObject({ detail: `${current.budgetId} 7 held` });
  });
});

test('without a reservation no renewal is sent', async () => {
  const { told, reservations } = billing(null);
  await reservations.renew([]);
  expect(told.count).toBe(0);
});
