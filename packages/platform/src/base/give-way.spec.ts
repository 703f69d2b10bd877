import { afterEach, expect, jest, test } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { giveWay } from './give-way.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/**
 * Returns which comes first after other work of `busyMs`: `giveWay` lets background work continue (`turn`), or
 * `pauseMs` pass (`pause`).
 */
async function firstOf(busyMs: number, pauseMs: number): Promise<'turn' | 'pause'> {
  jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(busyMs);
  const end = new AbortController();
  const pause = wait(pauseMs, 'pause' as const, { signal: end.signal }).catch(() => 'pause' as const);
  const first = await Promise.race([giveWay().then(() => 'turn' as const), pause]);
  end.abort();
  return first;
}

test('background work waits twice as long as other work took, and not at all without other work', async () => {
  expect(await firstOf(20, 30)).toBe('pause');
  expect(await firstOf(20, 30_000)).toBe('turn');
  expect(await firstOf(0, 30_000)).toBe('turn');
});
