import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { FairQueue, FairTurns, Shares, type Waiting } from '@parley/platform/fair-turns';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../chat.config.ts';
import { ExportAttempt } from './export-attempt.ts';
import type { ExportRow } from './export.collection.ts';
import { jobs } from './exporting-person.ts';
import { ExportsRepository } from './exports.repository.ts';

const sweepMs = 1_000;
/** Exports that one process writes at the same time; half of them of one share. */
const mostWritten = 2;
const mostSeen = 50;

/** Writes what people export, by turns of share and person (ADR 0031). */
@Injectable()
export class ExportWriter implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new FairTurns(mostWritten);
  private readonly ending = new AbortController();
  private readonly queue: FairQueue<ExportRow>;
  private readonly sweep = new Sweep({
    run: () => this.look(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'looking for exports that wait failed'),
  });

  constructor(
    private readonly exports: ExportsRepository,
    private readonly attempt: ExportAttempt,
    private readonly shares: Shares,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {
    const turnOf = (row: ExportRow) => this.turnOf(row);
    this.queue = new FairQueue({ turns: this.turns, turnOf, next: (last) => this.exports.nextPending(jobs, last) });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.exports.releaseAll(jobs);
    this.sweep.start();
  }

  /** What is being written is begun anew by the next worker, and that counts as no attempt. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.sweep.stop();
    await Promise.all(this.running);
  }

  private turnOf({ orgId, userId, createdAt }: ExportRow): Waiting {
    return { share: this.shares.of(orgId), person: userId, arrivedAt: createdAt };
  }

  private async look(): Promise<void> {
    if (this.turns.free <= 0) return;
    const now = this.clock.now();
    const due = await this.queue.inOrder(await this.exports.listDue(jobs, now, mostSeen), mostSeen);
    for (const row of due.filter(({ dueAt }) => dueAt <= now)) {
      const endTurn = this.ending.signal.aborted ? null : this.turns.begin(this.turnOf(row));
      if (endTurn) this.start(row, endTurn);
    }
  }

  private start(row: ExportRow, endTurn: () => void): void {
    const { orgId, _id: exportId } = row;
    const ended = this.attempt
      .run(row, this.ending.signal)
      .catch((err: unknown) => this.platform.logger.error({ orgId, exportId, err }, 'an export was not written'))
      .finally(() => {
        endTurn();
        this.running.delete(ended);
      });
    this.running.add(ended);
  }
}
