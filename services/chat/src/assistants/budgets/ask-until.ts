import { setTimeout as sleep } from 'node:timers/promises';

const shortestPauseMs = 250;
const longestPauseMs = 2_000;
/** One call that hangs does not use up the time of all. */
const longestCallMs = 5_000;

export type Time = { readonly now: () => number; readonly wait: (ms: number) => Promise<unknown> };
const time: Time = { now: () => performance.now(), wait: (ms) => sleep(ms) };

export type Waiting = {
  readonly withinMs: number;
  /** Ends the tries: it throws their reason. */
  readonly signal?: AbortSignal | undefined;
};

/**
 * Tries again, at longer and longer pauses, until somebody answers or the time is over; null then. `ask` answers undefined
 * where nobody did.
 */
export async function askUntil<Answer>(
  ask: (deadlineMs: number) => Promise<Answer | undefined>,
  { withinMs, signal }: Waiting,
  { now, wait }: Time = time,
): Promise<Answer | null> {
  const until = now() + withinMs;
  for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const answer = await ask(Math.max(1, Math.min(until - now(), longestCallMs)));
    if (answer !== undefined) return answer;
    if (now() + pauseMs >= until) return null;
    await wait(pauseMs);
    signal?.throwIfAborted();
  }
}
