import { setTimeout as wait } from 'node:timers/promises';

/** Waits until `check` neither throws nor returns false. `what` says what should be true; the last failure stays the cause. */
export async function eventually(check: () => unknown, what: string, timeoutMs = 8_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      if ((await check()) !== false) return;
    } catch (error) {
      failure = error;
    }
    if (Date.now() > deadline) throw new Error(`Not so after ${timeoutMs} ms: ${what}${failure instanceof Error ? `\n${failure.message}` : ''}`, { cause: failure });
    await wait(10);
  }
}
