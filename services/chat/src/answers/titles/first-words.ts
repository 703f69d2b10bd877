import { Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';

const lookMs = 100;
type Patience = { readonly mostMs: number; readonly signal: AbortSignal };

/** Counts the answers of this process that await their first word, because titles wait for them. */
@Injectable()
export class FirstWords {
  private awaited = 0;

  get areAwaited(): boolean {
    return this.awaited > 0;
  }

  /**
   * Counts one answer. Call the returned function when its first word has come or none will come; repeated calls change
   * nothing.
   */
  expect(): () => void {
    let isAwaited = true;
    this.awaited += 1;
    return () => {
      if (isAwaited) this.awaited -= 1;
      isAwaited = false;
    };
  }

  /**
   * Resolves when no answer awaits its first word, or after `mostMs` milliseconds; early, without an error, if the
   * signal is aborted.
   */
  async untilThere({ mostMs, signal }: Patience): Promise<void> {
    for (const until = performance.now() + mostMs; this.areAwaited && performance.now() < until && !signal.aborted;)
      await wait(lookMs, undefined, { signal }).catch(() => undefined);
  }
}
