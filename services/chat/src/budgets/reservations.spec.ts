import { describe, expect, test } from '@jest/globals';
import { Problem } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Reservations } from './reservations.ts';

const away = new Problem('platform.unavailable');
const wish = {} as Parameters<Reservations['reserve']>[0];
/** Billing answers like that, one after the other. */
function billing(...answers: (Error | null)[]) {
  const told = { count: 0 };
  const call = async () => {
    const answer = answers[Math.min(told.count, answers.length - 1)];
    told.count += 1;
    if (answer) throw answer;
    return {};
  };
  return { told, reservations: new Reservations({ peers: { call } } as unknown as Platform) };
}

describe('before a model is asked', () => {
  test('budget is held, also by a billing that comes back within 5 s', async () => {
    const { told, reservations } = billing(away, away, null);
    await reservations.reserve(wish);
    expect(told.count).toBe(3);
  });

  test('a billing that does not come back is waited for 5 s, then the answer is refused', async () => {
    const began = Date.now();
    await expect(billing(away).reservations.reserve(wish)).rejects.toMatchObject({
      reason: 'budget-unavailable',
      detail: null,
    });
    const tookMs = Date.now() - began;
    expect(tookMs).toBeGreaterThan(4_500);
    expect(tookMs).toBeLessThan(6_500);
  }, 10_000);

  test('a budget that is spent is named, with what would have been held, and not asked for again', async () => {
    const budgetId = newId('budget');
    const { told, reservations } = billing(new Problem('billing.budget-spent', { current: { budgetId, amount: 7 } }));
    await expect(reservations.reserve(wish)).rejects.toMatchObject({ reason: 'budget-spent', detail: `${budgetId} 7` });
    expect(told.count).toBe(1);
  });
});

test('nothing is renewed where nothing is held', async () => {
  const { told, reservations } = billing(null);
  await reservations.renew([]);
  expect(told.count).toBe(0);
});
