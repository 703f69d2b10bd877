import { FairTurns, type FlowKey } from '@parley/platform/fair-turns';

/** Documents that one process reads at the same time, half of them (one) of a flow: each may take 700 MB of memory. */
export const mostReaders = 2;

/** The turn of one document that is read. */
export type ReadingTurn = {
  /** Takes the only turn of documents that take long, unless it has it; false where another document has it. */
  takeLong(): boolean;
  /** Gives back what it has. Idempotent. */
  end(): void;
};

/**
 * The turns of one process (ADR 0031). Only one document that takes long is read at a time: the other reader gets free
 * within seconds, however many accounts upload documents that take long.
 */
export class ReadingTurns {
  private readonly all = new FairTurns({ all: mostReaders });
  private readonly long = new FairTurns({ all: 1 });
  private freed = Promise.withResolvers<void>();

  /** Waits for a turn of this flow, and for that of documents that take long where it is one. */
  async begin(
    key: FlowKey,
    { takesLong, signal }: { readonly takesLong: boolean; readonly signal: AbortSignal },
  ): Promise<ReadingTurn> {
    const look = () => this.lookAgain();
    signal.addEventListener('abort', look);
    try {
      for (;;) {
        signal.throwIfAborted();
        const begun = this.tryBegin(key, takesLong);
        if (begun) return begun;
        await this.freed.promise;
      }
    } finally {
      signal.removeEventListener('abort', look);
    }
  }

  private tryBegin(key: FlowKey, takesLong: boolean): ReadingTurn | null {
    if (this.all.isFullFor(key)) return null;
    let endLong = takesLong ? this.long.begin(key) : null;
    if (takesLong && !endLong) return null;
    const end = this.all.begin(key);
    return {
      takeLong: () => (endLong ??= this.long.begin(key)) !== null,
      end: () => {
        endLong?.();
        end?.();
        this.lookAgain();
      },
    };
  }

  private lookAgain(): void {
    const { resolve } = this.freed;
    this.freed = Promise.withResolvers<void>();
    resolve();
  }
}
