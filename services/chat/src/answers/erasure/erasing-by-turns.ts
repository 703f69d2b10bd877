import { FairQueue, FairTurns, type Waiting } from '@parley/platform/fair-turns';
import { freeingSpace } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { setTimeout as wait } from 'node:timers/promises';

const sweepMs = 60_000;
/** Between two batches: other commands have the store for longer than this job. */
const pauseMs = 20;
/** Rows of which one batch each is erased before the next look at who waits. */
const rowsPerRound = 10;
const mostSeen = 100;

type Parts<Row> = {
  /** In the log, where it fails. */
  readonly what: string;
  readonly platform: Platform;
  /** Does all that there is to do now. */
  readonly run: () => Promise<void>;
  readonly waitingOf: (row: Row) => Waiting;
  /** See `WaitingWalk`. */
  readonly next: (last: Row | null) => Promise<Row | null>;
  readonly eraseSome: (row: Row) => Promise<void>;
};
type Due<Row> = { readonly oldest: (limit: number) => Promise<Row[]>; readonly isDue: (row: Row) => boolean };

/**
 * Erases what was deleted, each minute and when it is woken. Batches go by turns (ADR 0031): nobody waits for all that
 * others have deleted.
 */
export class ErasingByTurns<Row extends { readonly _id: string }> {
  isStopped = false;
  private readonly turns = new FairTurns(1);
  private readonly queue: FairQueue<Row>;
  private readonly sweep: Sweep;
  private readonly parts: Parts<Row>;

  constructor(parts: Parts<Row>) {
    const { what, platform, run, waitingOf, next } = parts;
    this.parts = parts;
    this.queue = new FairQueue({ turns: this.turns, waitingOf, next });
    this.sweep = new Sweep({
      run: () => freeingSpace(run),
      everyMs: sweepMs,
      whenFailed: (err) => platform.logger.warn({ err }, `erasing ${what} failed; trying again`),
    });
  }

  start(): void {
    this.sweep.start();
  }

  wake(): void {
    this.sweep.wake();
  }

  /** Resolves when the batch that is under way has ended. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.sweep.stop();
  }

  /** Erases batch after batch until nothing is due. What the walk over persons finds and is not due yet is left alone. */
  async all({ oldest, isDue }: Due<Row>): Promise<void> {
    const { waitingOf, eraseSome } = this.parts;
    for (;;) {
      const some = (await this.queue.inOrder(await oldest(mostSeen), mostSeen)).filter(isDue);
      if (some.length === 0) return;
      for (const row of some.slice(0, rowsPerRound)) {
        if (this.isStopped) return;
        const release = this.turns.begin(waitingOf(row));
        await eraseSome(row).finally(() => release?.());
        await wait(pauseMs);
      }
    }
  }
}
