/**
 * Lets one at a time in; the others wait, by turns of their flows and in their order within a flow. So a flow with many
 * waiting delays another one by one of them only.
 */
export class ImageQueue {
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;

  /** Rejects with the signal's reason where it ends the wait. */
  async run<Value>(flow: string, signal: AbortSignal, act: () => Promise<Value>): Promise<Value> {
    await this.enter(flow, signal);
    try {
      return await act();
    } finally {
      this.leave();
    }
  }

  private async enter(flow: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isBusy) {
      this.isBusy = true;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const others = this.waiting.get(flow) ?? [];
    others.push(turn.resolve);
    this.waiting.set(flow, others);
    const giveUp = (): void => {
      const at = others.indexOf(turn.resolve);
      if (at < 0) return;
      others.splice(at, 1);
      if (others.length === 0) this.waiting.delete(flow);
      turn.reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    await turn.promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  private leave(): void {
    for (const [flow, others] of this.waiting) {
      const next = others.shift();
      this.waiting.delete(flow);
      if (others.length > 0) this.waiting.set(flow, others);
      if (!next) continue;
      next();
      return;
    }
    this.isBusy = false;
  }
}
