import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

/** The process counts as idle if its event loop takes less than this for a turn. */
const idleMs = 5;
const longestMs = 250;

/**
 * Lets other work of the process run first: waits for one turn of the event loop, then twice as long as that turn took.
 * Returns after the turn if the process is idle. Call it between two pieces of background work.
 */
export async function giveWay(): Promise<void> {
  const from = performance.now();
  await nextTurn();
  const busyMs = performance.now() - from;
  if (busyMs > idleMs) await wait(Math.min(2 * busyMs, longestMs));
}
