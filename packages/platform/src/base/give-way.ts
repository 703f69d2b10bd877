import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** The process counts as idle if its event loop takes less than this for a turn. */
const idleMs = 5;
const longestMs = 250;

/**
 * Waits twice as long as everything else in the process took since the last piece of background work; returns
 * immediately without other work. Call it between two pieces of background work.
 */
export async function giveWay(): Promise<void> {
  const from = performance.now();
  await nextTurn();
  const busyMs = performance.now() - from;
  if (busyMs > idleMs) await wait(Math.min(2 * busyMs, longestMs));
}
