import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { freeingSpace, jobScope, Mongo } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { setTimeout as wait } from 'node:timers/promises';
import { ChatSettings } from '../../chat.config.ts';
import { HiddenDocuments } from './hidden-documents.ts';

const sweepMs = 1_000;
/** Between two batches: other commands have the store for longer than this job. */
const pauseMs = 20;
const settling = job('hides and shows the passages of large documents');
const scope = jobScope('hiding and showing the passages of large documents');

/**
 * Brings the passages of documents that were deleted or restored to what the document says, a batch at a time. Several
 * processes may do so at once: each batch is one transaction that the row of the document takes part in.
 */
@Injectable()
export class PassageSettler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly hidden: HiddenDocuments;
  private isStopped = false;
  private readonly sweep = new Sweep({
    run: () => freeingSpace(() => this.settle()),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'hiding passages failed; trying again'),
  });

  constructor(
    mongo: Mongo,
    private readonly work: Work,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {
    this.hidden = new HiddenDocuments(mongo);
  }

  onApplicationBootstrap(): void {
    if (this.settings.workers > 0) this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.sweep.stop();
  }

  /** All that there is to do. Documents take turns, so that a small one does not wait for a large one. */
  async settle(): Promise<void> {
    for (let rows = await this.hidden.unsettled(scope); rows.length > 0; rows = await this.hidden.unsettled(scope))
      for (const row of rows) {
        if (this.isStopped) return;
        await this.work.run(settling, (tx) => this.hidden.settleSome(scope.in(row.orgId), row, tx));
        await wait(pauseMs);
      }
  }
}
