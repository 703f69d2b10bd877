import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { FairQueue, FairTurns, Shares, type Waiting } from '@parley/platform/fair-turns';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { ChatSettings } from '../../chat.config.ts';
import type { FileEmbeddingRow } from './file-embedding.collection.ts';
import { FileEmbeddingStep } from './file-embedding-step.ts';
import { FileVectors } from './file-vectors.ts';

/** A step is one batch at most. */
const sweepMs = 1_000;
/** Steps of one process at the same time; half of them of one share. */
const mostSteps = 2;
const mostSeen = 50;
const jobs = jobScope('passages of files get their vectors');

/** Gives passages of files that were searched their vectors, by turns (ADR 0031). */
@Injectable()
export class FileEmbedder implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new FairTurns(mostSteps);
  private readonly ending = new AbortController();
  private readonly queue: FairQueue<FileEmbeddingRow>;
  private readonly sweep = new Sweep({
    run: () => this.look(),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'looking for files without vectors failed'),
  });

  constructor(
    private readonly vectors: FileVectors,
    private readonly step: FileEmbeddingStep,
    private readonly shares: Shares,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {
    const turnOf = (row: FileEmbeddingRow) => this.turnOf(row);
    this.queue = new FairQueue({ turns: this.turns, turnOf, next: (last) => this.vectors.nextWanted(jobs, last) });
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.settings.workers === 0) return;
    if (this.platform.isAlone) await this.vectors.releaseAll(jobs);
    this.sweep.start();
  }

  /** What is being asked is recorded as far as it is known, and asked again by the next worker. */
  async onApplicationShutdown(): Promise<void> {
    this.ending.abort();
    await this.sweep.stop();
    await Promise.all(this.running);
  }

  private turnOf({ orgId, userId, wantedAt }: FileEmbeddingRow): Waiting {
    return { share: this.shares.of(orgId), person: userId, arrivedAt: wantedAt };
  }

  private async look(): Promise<void> {
    if (this.turns.free <= 0) return;
    const now = this.clock.now();
    const due = await this.queue.inOrder(await this.vectors.listDue(jobs, now, mostSeen), mostSeen);
    for (const row of due.filter(({ dueAt }) => dueAt <= now)) {
      const endTurn = this.ending.signal.aborted ? null : this.turns.begin(this.turnOf(row));
      if (endTurn) this.start(row, endTurn);
    }
  }

  private start(row: FileEmbeddingRow, endTurn: () => void): void {
    const { orgId, _id: fileId } = row;
    const ended = this.step
      .run(jobs.in(orgId), row, this.ending.signal)
      .catch((err: unknown) => this.platform.logger.error({ orgId, fileId, err }, 'a file got no vectors'))
      .finally(() => {
        endTurn();
        this.running.delete(ended);
      });
    this.running.add(ended);
  }
}
