import { afterEach, expect, jest, test } from '@jest/globals';
import { setTimeout as wait } from 'node:timers/promises';
import { giveWay, untilIdle } from './give-way.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

/** Which comes first where everything else took so long meanwhile: its next turn, or the end of a pause. */
async function firstOf(busyMs: number, pauseMs: number): Promise<'turn' | 'pause'> {
  jest.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(busyMs);
  const end = new AbortController();
  const pause = wait(pauseMs, 'pause' as const, { signal: end.signal }).catch(() => 'pause' as const);
  const first = await Promise.race([giveWay().then(() => 'turn' as const), pause]);
  end.abort();
  return first;
}

test('work gives way for twice as long as the other work took and not at all where that is nothing', async () => {
  expect(await firstOf(20, 30)).toBe('pause');
  expect(await firstOf(20, 30_000)).toBe('turn');
  expect(await firstOf(0, 30_000)).toBe('turn');
});

/** How often it looks while the process is as busy as that, one look after the other. */
async function looks(
  uses: readonly number[],
  { mostMs = 60_000, signal = new AbortController().signal, isBusy = (): boolean => false } = {},
) {
  jest.restoreAllMocks();
  const left = [...uses];
  const measured = jest
    .spyOn(performance, 'eventLoopUtilization')
    .mockImplementation((from) => ({ idle: 0, active: 0, utilization: from ? (left.shift() ?? 1) : 0 }));
  await untilIdle({ mostMs, signal, isBusy });
  return measured.mock.calls.filter(([from]) => from !== undefined).length;
}

test('work that can wait waits while the process is busy, but not for ever and not beyond its end', async () => {
  expect(await looks([0.1])).toBe(1);
  expect(await looks([1, 0.9, 0.5])).toBe(3);
  const busy = [true, true, false];
  expect(await looks([0.1, 0.1, 0.1], { isBusy: () => busy.shift() ?? false })).toBe(3);
  expect(await looks([], { mostMs: 99 })).toBe(1);
  expect(await looks([], { signal: AbortSignal.abort() })).toBe(0);
  expect(await looks([], { signal: AbortSignal.timeout(20) })).toBe(1);
});
