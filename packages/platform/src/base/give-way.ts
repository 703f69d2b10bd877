import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** Shorter turns of the event loop are those of a process with little to do. */
const idleMs = 5;
const longestMs = 250;

/**
 * For background work, between two pieces of it: steps aside for twice as long as everything else in the process had to
 * do meanwhile. Costs nothing where that is nothing.
 */
export async function giveWay(): Promise<void> {
  const from = performance.now();
  await nextTurn();
  const busyMs = performance.now() - from;
  if (busyMs > idleMs) await wait(Math.min(2 * busyMs, longestMs));
}
