import { Problem } from '@parley/protocol';
import { FairTurns, type FlowKey, type TurnBounds } from './fair-turns.ts';

const retryAfterSeconds = 10;

type Queued = {
  readonly key: FlowKey;
  readonly arrivedAt: Date;
  readonly start: (end: () => void) => void;
  readonly refuse: (reason: unknown) => void;
};

/** Runs acts in this process, as many at once as the limits allow. The others wait in memory for their turns. */
export class TurnQueue {
  private readonly turns: FairTurns;
  /** The waiting acts in the order of arrival. */
  private readonly waiting = new Set<Queued>();

  /** Lets at most `mostWaiting` acts wait; above that, refuses the act with the last turn. */
  constructor(
    bounds: TurnBounds,
    private readonly mostWaiting: number = Infinity,
  ) {
    this.turns = new FairTurns(bounds);
  }

  get waitingCount(): number {
    return this.waiting.size;
  }

  /**
   * Runs `act` on its turn. If too many wait, the act with the last turn rejects with `platform.unavailable`; an act
   * whose signal ends the wait rejects with the signal's reason.
   */
  async run<Result>(key: FlowKey, act: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const end = await this.begin(key, signal);
    try {
      return await act();
    } finally {
      end();
      this.startNext();
    }
  }

  private begin(key: FlowKey, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const { promise, resolve: start, reject: refuse } = Promise.withResolvers<() => void>();
    const queued = { key, arrivedAt: new Date(), start, refuse };
    const giveUp = (): void => {
      if (this.waiting.delete(queued)) refuse(signal!.reason);
    };
    signal?.addEventListener('abort', giveUp, { once: true });
    this.waiting.add(queued);
    this.startNext();
    if (this.waiting.size > this.mostWaiting) this.refuseLast();
    return promise.finally(() => signal?.removeEventListener('abort', giveUp));
  }

  private startNext(): void {
    if (this.turns.free <= 0) return;
    for (const queued of this.inOrder()) {
      const end = this.turns.begin(queued.key);
      if (!end) continue;
      this.waiting.delete(queued);
      queued.start(end);
    }
  }

  private refuseLast(): void {
    const last = this.inOrder().at(-1)!;
    this.waiting.delete(last);
    last.refuse(new Problem('platform.unavailable', { retryAfterSeconds }));
  }

  private inOrder(): Queued[] {
    return this.turns.inOrder([...this.waiting], ({ key, arrivedAt }) => ({ ...key, arrivedAt }));
  }
}
