import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** Shorter turns of the event loop mean that the process has little to do. */
const idleMs = 5;
const longestMs = 250;

/**
 * Call it between two pieces of background work. Waits twice as long as everything else in the process took meanwhile;
 * returns immediately if that is nothing.
 */
export async function giveWay(): Promise<void> {
  const from = performance.now();
  await nextTurn();
  const busyMs = performance.now() - from;
  if (busyMs > idleMs) await wait(Math.min(2 * busyMs, longestMs));
}
