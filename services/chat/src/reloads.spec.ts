import { afterEach, expect, jest, test } from '@jest/globals';
import type { Platform } from '@parley/platform/service';
import { silentLogger } from '@parley/testing';
import { Reloads } from './reloads.ts';

jest.useFakeTimers();
let reloads: Reloads;
afterEach(() => reloads.onApplicationShutdown());
const start = (isAlone: boolean): void => {
  reloads = new Reloads({ isAlone, logger: silentLogger() } as Platform);
};

test('copies are reloaded each second, also beside one whose reload fails', async () => {
  start(false);
  let [isAway, failed, count] = [false, 0, 0];
  await reloads.add(async () => {
    if (!isAway) return;
    failed += 1;
    throw new Error('away');
  });
  await reloads.add(async () => void (count += 1));
  isAway = true;
  const before = count;
  await jest.advanceTimersByTimeAsync(3_000);
  expect([failed, count - before]).toEqual([3, 3]);
});

test('a first reload that fails fails the start, and is not repeated', async () => {
  start(false);
  const reload = jest.fn(() => Promise.reject(new Error('away')));
  await expect(reloads.add(reload)).rejects.toThrow('away');
  await jest.advanceTimersByTimeAsync(3_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a process that is alone reloads once', async () => {
  start(true);
  const reload = jest.fn(() => Promise.resolve());
  await reloads.add(reload);
  await jest.advanceTimersByTimeAsync(3_000);
  expect(reload).toHaveBeenCalledTimes(1);
});
