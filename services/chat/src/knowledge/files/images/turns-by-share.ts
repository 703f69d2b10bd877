/**
 * Lets one at a time in; the others wait, by turns of their shares and in their order within a share. So a share with many
 * waiting delays another one by one of them only.
 */
export class TurnsByShare {
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;

  /** Rejects with the signal's reason where it ends the wait. */
  async run<Value>(share: string, signal: AbortSignal, act: () => Promise<Value>): Promise<Value> {
    await this.enter(share, signal);
    try {
      return await act();
    } finally {
      this.leave();
    }
  }

  private async enter(share: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isBusy) {
      this.isBusy = true;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const others = this.waiting.get(share) ?? [];
    others.push(turn.resolve);
    this.waiting.set(share, others);
    const giveUp = (): void => {
      const at = others.indexOf(turn.resolve);
      if (at < 0) return;
      others.splice(at, 1);
      if (others.length === 0) this.waiting.delete(share);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  private leave(): void {
    for (const [share, others] of this.waiting) {
      const next = others.shift();
      this.waiting.delete(share);
      if (others.length > 0) this.waiting.set(share, others);
      if (!next) continue;
      next();
      return;
    }
    this.isBusy = false;
  }
}
