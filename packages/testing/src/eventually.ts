import { setTimeout as wait } from 'node:timers/promises';

const often = { leastMs: 10, mostMs: 100, share: 1 / 20 };

/**
 * Waits until `check` neither throws nor returns false; resolves with what it returned. `what` says what should be
 * true; the last failure stays the cause. It checks every 10 ms at first and less often the longer it waits, every
 * 100 ms after two seconds: a check that fails costs the test and the product more CPU time than what they wait for.
 */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  what: string,
  timeoutMs = 40_000,
): Promise<Result> {
  const startedAt = Date.now();
  const deadline = startedAt + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const result = await check();
      if (result !== false) return result;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline)
      throw new Error(
        `Not so after ${timeoutMs} ms: ${what}${failure instanceof Error ? `\n${failure.message}` : ''}`,
        { cause: failure },
      );
    await wait(Math.min(often.mostMs, Math.max(often.leastMs, (Date.now() - startedAt) * often.share)));
  }
}
