import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../../chat.config.ts';
import type { ExportRow } from './export.collection.ts';
import { blobKey } from './export.ts';
import { ExportsRepository } from './exports.repository.ts';
import { recordExport } from './record-export.ts';

const sweepMs = 60_000;
const exportsPerLook = 50;
const jobs = jobScope('erasing exports');
const erasing = job('erases exports');

/**
 * Erases exports that were deleted, or whose seven days are over: first nobody finds it, then its ZIP goes, then the row
 * with its storage. It goes on where another process ended.
 */
@Injectable()
export class ExportEraser implements OnApplicationBootstrap, OnApplicationShutdown {
  private isStopped = false;
  private readonly sweep = new Sweep({
    run: () => freeingSpace(() => this.eraseAll()),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'erasing exports failed; trying again'),
  });

  constructor(
    private readonly exports: ExportsRepository,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly settings: ChatSettings,
    private readonly platform: Platform,
  ) {}

  onApplicationBootstrap(): void {
    if (this.settings.workers > 0) this.sweep.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.sweep.stop();
  }

  /** All that there is to do now. */
  async eraseAll(): Promise<void> {
    const now = this.clock.now();
    // What is still being written waits for the next look.
    const passed = new Set<string>();
    for (;;) {
      const due = await this.exports.listToErase(jobs, now, exportsPerLook + passed.size);
      const some = due.filter(({ _id }) => !passed.has(_id));
      if (some.length === 0) return;
      for (const row of some) {
        if (this.isStopped) return;
        if (!(await this.erase(row))) passed.add(row._id);
      }
    }
  }

  /** False where it can't be done now. */
  async erase(row: ExportRow): Promise<boolean> {
    const now = this.clock.now();
    // Its writer stops by itself; what it stores meanwhile would stay.
    if (row.holder !== null && row.dueAt > now) return false;
    const scope = jobs.in(row.orgId);
    if (!row.isErasing && !(await this.begin(row, now))) return false;
    for (let attempt = 1; attempt <= row.attempts; attempt += 1) await this.blobs.delete(blobKey(row, attempt));
    await this.work.run(erasing, (tx) => this.exports.erase(scope, row, tx));
    return true;
  }

  private begin(row: ExportRow, now: Date): Promise<ExportRow | null> {
    return this.work.run(erasing, async (tx) => {
      const begun = await this.exports.beginErasing(jobs.in(row.orgId), { _id: row._id, now }, tx);
      if (begun) recordExport(tx, begun);
      return begun;
    });
  }
}
