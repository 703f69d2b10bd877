import { afterEach, expect, jest, test } from '@jest/globals';
import { Sweep } from './sweep.ts';

jest.useFakeTimers();
const stopped: Sweep[] = [];
afterEach(async () => {
  for (const sweep of stopped.splice(0)) await sweep.stop();
});

/** A job that ends when it is told to. */
function aSweep(parts: { apartMs?: number } = {}) {
  const ends: ((error?: Error) => void)[] = [];
  const whenFailed = jest.fn();
  const run = (): Promise<void> =>
    new Promise((resolve, reject) => void ends.push((error) => (error ? reject(error) : resolve())));
  const sweep = new Sweep({ run, everyMs: 1_000, whenFailed, ...parts });
  stopped.push(sweep);
  const end = async (error?: Error): Promise<void> => {
    ends.at(-1)?.(error);
    await jest.advanceTimersByTimeAsync(0);
  };
  return { sweep, end, whenFailed, begun: () => ends.length };
}

test('runs at its start, every so often and when it is woken, never twice at once', async () => {
  const { sweep, end, begun } = aSweep();
  sweep.wake();
  expect(begun()).toBe(0);
  sweep.start();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(begun()).toBe(1);
  await end(); // It was woken meanwhile.
  await end();
  expect(begun()).toBe(2);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(3);
  await end();
  sweep.wake();
  expect(begun()).toBe(4);
  await end();
});

test('goes on after a failure, which it tells', async () => {
  const { sweep, end, whenFailed, begun } = aSweep();
  sweep.start();
  const error = new Error('away');
  await end(error);
  expect(whenFailed.mock.calls).toEqual([[error]]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(begun()).toBe(2);
  await end();
});

test('however often it is woken, it begins at most so often', async () => {
  const { sweep, end, begun } = aSweep({ apartMs: 100 });
  sweep.start();
  await end();
  for (let passedMs = 0; passedMs < 500; passedMs += 10) {
    sweep.wake();
    await end();
    await jest.advanceTimersByTimeAsync(10);
  }
  expect(begun()).toBe(1 + 5);
  await end();
});

test('a stop waits for what runs, and nothing begins after it', async () => {
  const { sweep, end, begun } = aSweep();
  sweep.start();
  sweep.wake();
  let hasStopped = false;
  const stopping = sweep.stop().then(() => (hasStopped = true));
  await jest.advanceTimersByTimeAsync(5_000);
  expect(hasStopped).toBe(false);
  await end();
  await stopping;
  sweep.wake();
  await jest.advanceTimersByTimeAsync(5_000);
  expect(begun()).toBe(1);
});
