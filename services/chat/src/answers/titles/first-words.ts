import { Injectable } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';

const lookMs = 100;
type Patience = { readonly mostMs: number; readonly signal: AbortSignal };

/** Counts the answers of this process whose first word is still to come: titles wait for them. */
@Injectable()
export class FirstWords {
  private awaited = 0;

  get areAwaited(): boolean {
    return this.awaited > 0;
  }

  /** Counts one. Call the result once its first word is there or none will come; calling it again changes nothing. */
  expect(): () => void {
    let isAwaited = true;
    this.awaited += 1;
    return () => {
      if (isAwaited) this.awaited -= 1;
      isAwaited = false;
    };
  }

  /**
   * Resolves when none is awaited, or after `mostMs` milliseconds; early, without an error, if the signal is aborted.
   */
  async untilThere({ mostMs, signal }: Patience): Promise<void> {
    for (const until = performance.now() + mostMs; this.areAwaited && performance.now() < until && !signal.aborted;)
      await wait(lookMs, undefined, { signal }).catch(() => undefined);
  }
}
