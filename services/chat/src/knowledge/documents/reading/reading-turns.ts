import { FairTurns, type FlowKey } from '@parley/platform/fair-turns';

/** Documents that one process reads at the same time, half of them (one) of a flow: each may take 700 MB of memory. */
const mostReaders = 2;

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
  readonly all = new FairTurns(mostReaders);
  private readonly long = new FairTurns(1);

  /** Null while there is no turn for this flow, or for a document that takes long. */
  begin(key: FlowKey, { takesLong }: { readonly takesLong: boolean }): ReadingTurn | null {
    if (this.all.isFullFor(key.flow)) return null;
    let endLong = takesLong ? this.long.begin(key) : null;
    if (takesLong && !endLong) return null;
    const end = this.all.begin(key);
    return {
      takeLong: () => (endLong ??= this.long.begin(key)) !== null,
      end: () => {
        endLong?.();
        end?.();
      },
    };
  }
}
