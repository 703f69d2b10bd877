import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { Flows } from '@parley/platform/fair-turns';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../../chat.config.ts';
import { ReadingTurns, type ReadingTurn } from './reading-turns.ts';
import { WaitingToRead, type Reading, type ReadingSource, type Unread } from './waiting-to-read.ts';

/** Rung when a file waits for a reader. */
export const filesWaiting = 'chat:documents-waiting';

const leaseMs = 120_000;
const sweepMs = 5_000;

/**
 * The readers of this process: they read files of all sources by turns (ADR 0031), whatever they are files of. A source
 * is added before the application begins.
 */
@Injectable()
export class Readers implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly stopping = new AbortController();
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new ReadingTurns();
  private readonly waiting: WaitingToRead;
  private stopListening = () => {};
  private readonly sweep = new Sweep({
    run: () => this.look(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.error({ err }, 'looking for files to read failed'),
  });

  constructor(
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
    private readonly clock: Clock,
    flows: Flows,
  ) {
    this.waiting = new WaitingToRead({ flows, turns: this.turns.all });
  }

  add<One extends Unread>(source: ReadingSource<One>): void {
    this.waiting.add(source);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.waiting.releaseAll();
    this.stopListening = this.platform.doorbell.on(filesWaiting, () => this.sweep.wake());
    this.sweep.start();
  }

  /** What is being read is left to the next process. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    this.stopListening();
    await this.sweep.stop();
    await Promise.all(this.running);
  }

  /** Begins what has its turn, as far as there are readers. */
  private async look(): Promise<void> {
    if (this.turns.all.free <= 0) return;
    for (const found of await this.waiting.inOrder(this.clock.now())) {
      const takesLong = found.unread.takesLong === true;
      const turn = this.stopping.signal.aborted ? null : this.turns.begin(this.waiting.waitingOf(found), { takesLong });
      if (!turn) continue;
      const until = new Date(this.clock.now().getTime() + leaseMs);
      const reading = await found.take(until).catch((error: unknown) => {
        turn.end();
        throw error;
      });
      if (reading) this.start(reading, turn);
      else turn.end();
    }
  }

  private start(read: Reading, turn: ReadingTurn): void {
    const reading = read(turn, this.stopping.signal)
      .catch((error: unknown) => this.platform.logger.error({ err: error }, 'reading a file failed'))
      .finally(() => {
        turn.end();
        this.running.delete(reading);
        this.sweep.wake();
      });
    this.running.add(reading);
  }
}
