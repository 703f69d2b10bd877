import { setTimeout as wait } from 'node:timers/promises';

/**
 * Waits until `check` neither throws nor returns false; resolves with what it returned. `what` says what should be
 * true; the last failure stays the cause.
 */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  what: string,
  timeoutMs = 20_000,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs;
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
    await wait(10);
  }
}
