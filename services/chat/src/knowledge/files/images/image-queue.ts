import { Rotation, type FlowKey } from '@parley/platform/fair-turns';

type Waiting = { readonly begin: () => void; isOver: boolean };

/** Lets one at a time in; the others wait, by turns of their flows, organisations and people. */
export class ImageQueue {
  private readonly waiting = new Rotation<Waiting>();
  private isBusy = false;

  /** Rejects with the signal's reason where it ends the wait. */
  async run<Value>(key: FlowKey, signal: AbortSignal, act: () => Promise<Value>): Promise<Value> {
    await this.enter(key, signal);
    try {
      return await act();
    } finally {
      this.leave();
    }
  }

  private async enter({ flow, organisation, person }: FlowKey, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.isBusy) {
      this.isBusy = true;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one = { begin: resolve, isOver: false };
    this.waiting.add([flow, organisation, person], one);
    const giveUp = (): void => {
      one.isOver = true;
      reject(signal.reason);
    };
    signal.addEventListener('abort', giveUp, { once: true });
    await promise.finally(() => signal.removeEventListener('abort', giveUp));
  }

  private leave(): void {
    let next = this.waiting.next();
    while (next?.isOver) next = this.waiting.next();
    if (next) next.begin();
    else this.isBusy = false;
  }
}
