import { afterEach, expect, jest, test } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { every, type Upkeep } from './every.ts';

jest.useFakeTimers();
const started: Upkeep[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map((upkeep) => upkeep.stop()));
});

/** Creates upkeep whose runs last until the test ends them. Stopping the upkeep ends them too, unless `isDeaf`. */
function anUpkeep({ ms = 1_000, isDeaf = false } = {}) {
  const ends: ((error?: Error) => void)[] = [];
  const warn = jest.fn();
  const upkeep = every('counts', ms, (signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    ends.push((error) => (error ? reject(error) : resolve()));
    if (!isDeaf) signal.addEventListener('abort', () => reject(new Error('aborted')));
    return promise;
  });
  started.push(upkeep);
  const end = async (error?: Error): Promise<void> => {
    ends.at(-1)?.(error);
    await jest.advanceTimersByTimeAsync(0);
  };
  return { upkeep, end, warn, start: () => upkeep.start({ warn }), begun: () => ends.length };
}

test('runs upkeep at the start and a while after each end, never twice at once', async () => {
  const { upkeep, start, end, begun } = anUpkeep();
  upkeep.wake();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(0);
  start();
  start();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(begun()).toBe(1);
  await end();
  await jest.advanceTimersByTimeAsync(999);
  expect(begun()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(begun()).toBe(2);
});

test('joins several wakes to one run at the earliest time', async () => {
  const { upkeep, start, end, begun } = anUpkeep();
  start();
  await end();
  upkeep.wake(500);
  upkeep.wake();
  upkeep.wake(200);
  await jest.advanceTimersByTimeAsync(49);
  expect(begun()).toBe(1);
  await jest.advanceTimersByTimeAsync(1);
  expect(begun()).toBe(2);
  await end();
  await jest.advanceTimersByTimeAsync(999);
  expect(begun()).toBe(2);
});

test('runs upkeep again soon after a run during which it was woken', async () => {
  const { upkeep, start, end, begun } = anUpkeep();
  start();
  upkeep.wake();
  await jest.advanceTimersByTimeAsync(500);
  await end();
  await jest.advanceTimersByTimeAsync(50);
  expect(begun()).toBe(2);
});

test('continues upkeep after a failure, which is logged with its name, once while the failure stays the same', async () => {
  const { start, end, warn, begun } = anUpkeep({ ms: 60_000 });
  start();
  const error = new Error('away');
  await end(error);
  expect(warn.mock.calls).toEqual([[{ err: error, upkeep: 'counts' }, expect.any(String)]]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(begun()).toBe(2);
  await end(new Error('away'));
  expect(warn).toHaveBeenCalledTimes(1);
  await jest.advanceTimersByTimeAsync(5_000);
  await end();
  await jest.advanceTimersByTimeAsync(60_000);
  await end(new Error('away'));
  expect(warn).toHaveBeenCalledTimes(2);
});

test('tries again if a run of upkeep throws synchronously', async () => {
  let runs = 0;
  const upkeep = every('throws', 1_000, () => {
    runs += 1;
    throw new Error('away');
  });
  started.push(upkeep);
  upkeep.start({ warn: jest.fn() });
  await jest.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(2);
});

test('a stop waits for the current run of upkeep, and no run follows', async () => {
  const { upkeep, start, end, begun } = anUpkeep({ isDeaf: true });
  start();
  upkeep.wake();
  let hasStopped = false;
  const stopping = upkeep.stop().then(() => (hasStopped = true));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(hasStopped).toBe(false);
  await end();
  await stopping;
  upkeep.wake();
  start();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(begun()).toBe(1);
});

test('a stop aborts the current run by its signal, which doesn’t count as a failure', async () => {
  const { upkeep, start, warn } = anUpkeep();
  start();
  await upkeep.stop();
  expect(warn).not.toHaveBeenCalled();
});

test('a run of upkeep has none of the context of the request that woke it', async () => {
  const request = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const upkeep = every('sees', 1_000, () => void seen.push(request.getStore()));
  started.push(upkeep);
  upkeep.start({ warn: jest.fn() });
  await jest.advanceTimersByTimeAsync(0);
  request.run('a request', () => upkeep.wake());
  await jest.advanceTimersByTimeAsync(1_050);
  expect(seen).toEqual([undefined, undefined, undefined]);
});
