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

const lookMs = 100;
/** A process that waits for nothing most of the time answers people late. */
const mostUse = 0.7;

type Patience = {
  readonly mostMs: number;
  readonly signal: AbortSignal;
  /** Returns true while the process counts as busy, however idle it is. */
  readonly isBusy?: () => boolean;
};

/**
 * Delays background work until the process has been mostly idle for 100 ms, or until `mostMs` milliseconds have passed.
 * Resolves early, without an error, when the signal is aborted.
 */
export async function untilIdle({ mostMs, signal, isBusy = () => false }: Patience): Promise<void> {
  for (const until = performance.now() + mostMs; performance.now() < until && !signal.aborted;) {
    const from = performance.eventLoopUtilization();
    await wait(lookMs, undefined, { signal }).catch(() => undefined);
    if (performance.eventLoopUtilization(from).utilization < mostUse && !isBusy()) return;
  }
}
