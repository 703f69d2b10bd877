import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { FairQueue, FairTurns, Shares, type Waiting } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../chat.config.ts';
import type { ImportRow } from './import.collection.ts';
import { ImportStep } from './import-step.ts';
import { ImportsRepository } from './imports.repository.ts';
import { Uploads } from './uploads.ts';

const sweepMs = 1_000;
/** Uploads that ended or are too old are looked for so often. */
const tidyMs = 10_000;
/** Imports of one process at the same time; half of them of one share. */
const mostSteps = 2;
const mostSeen = 50;
const jobs = jobScope('chats are imported');

/** Checks and imports what people have uploaded, by turns of shares, then of persons (ADR 0031). */
@Injectable()
export class ImportRunner implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new FairTurns(mostSteps);
  private readonly ending = new AbortController();
  private readonly queue: FairQueue<ImportRow>;
  private waiting = 0;
  private readonly sweep = new Sweep({
    run: () => this.look(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'looking for imports failed'),
  });
  private readonly tidying = new Sweep({
    run: () => this.uploads.tidy(jobs),
    everyMs: tidyMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'deleting uploads of chats failed; trying again'),
  });

  constructor(
    private readonly imports: ImportsRepository,
    private readonly step: ImportStep,
    private readonly uploads: Uploads,
    private readonly shares: Shares,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {
    const turnOf = (row: ImportRow) => this.turnOf(row);
    this.queue = new FairQueue({ turns: this.turns, turnOf, next: (last) => this.imports.nextWanted(jobs, last) });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.imports.releaseAll(jobs);
    this.sweep.start();
    this.tidying.start();
  }

  /** What is being imported goes on in another process, or in this one once it is started again. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await Promise.all([this.sweep.stop(), this.tidying.stop()]);
    await Promise.all(this.running);
  }

  private turnOf({ orgId, userId, wantedAt }: ImportRow): Waiting {
    return { share: this.shares.of(orgId), person: userId, arrivedAt: wantedAt };
  }

  private async look(): Promise<void> {
    const now = this.clock.now();
    const due = await this.queue.inOrder(await this.imports.listDue(jobs, now, mostSeen), mostSeen);
    this.waiting = 0;
    for (const row of due.filter(({ dueAt }) => dueAt <= now)) {
      const endTurn = this.ending.signal.aborted ? null : this.turns.begin(this.turnOf(row));
      if (endTurn) this.start(row, endTurn);
      else this.waiting += 1;
    }
  }

  private start(row: ImportRow, endTurn: () => void): void {
    const { orgId, _id: importId } = row;
    const ended = this.step
      .run(jobs.in(orgId), row, { ending: this.ending.signal, othersWait: () => this.waiting > 0 })
      .catch((err: unknown) => this.platform.logger.error({ orgId, importId, err }, 'an import failed'))
      .finally(() => {
        endTurn();
        this.running.delete(ended);
      });
    this.running.add(ended);
  }
}
