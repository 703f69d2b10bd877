import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../../chat.config.ts';
import { FileReferences } from '../../conversations/index.ts';
import type { FileRow } from './file.collection.ts';
import { FilePassages } from './file-passages.ts';
import { blobKey, isImage, seenKey } from './file.ts';
import { FilesRepository } from './files.repository.ts';

const sweepMs = 60_000;
const filesPerLook = 50;
const erasing = job('erases files that nothing refers to');
const jobs = jobScope('erasing files that nothing refers to');

/**
 * Erases files of chats that nothing refers to any more: first nobody finds it, then passages in batches, then the file
 * (and an image as models see it), then the row with its storage. It goes on where another process ended; two may work on the same file.
 */
@Injectable()
export class FileEraser implements OnApplicationBootstrap, OnApplicationShutdown {
  private isStopped = false;
  private readonly sweep = new Sweep({
    run: () => freeingSpace(() => this.eraseAll()),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'erasing files failed; trying again'),
  });

  constructor(
    private readonly files: FilesRepository,
    private readonly passages: FilePassages,
    private readonly references: FileReferences,
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
    // What was changed meanwhile, or is being read, waits for the next look.
    const passed = new Set<string>();
    for (;;) {
      const due = await this.files.listDue(jobs, now, filesPerLook + passed.size);
      const some = due.filter(({ _id }) => !passed.has(_id));
      if (some.length === 0) return;
      for (const row of some) {
        if (this.isStopped) return;
        if (!(await this.check(row, now))) passed.add(row._id);
      }
    }
  }

  /** Keeps or erases it; false where neither could be done now. */
  async check(row: FileRow, now: Date): Promise<boolean> {
    const scope = jobs.in(row.orgId);
    // What its reader still stores would stay.
    if (row.status === 'reading' && row.leaseUntil !== null && row.leaseUntil > now) return false;
    const became = row.isErasing ? row : await this.decide(row);
    if (!became) return false;
    if (!became.isErasing) return true;
    await this.passages.remove(scope, row._id);
    if (isImage(row)) await this.blobs.delete(seenKey(row));
    await this.blobs.delete(blobKey(row));
    await this.work.run(erasing, (tx) => this.files.erase(scope, row._id, tx));
    return true;
  }

  private decide(row: FileRow): Promise<FileRow | null> {
    const scope = jobs.in(row.orgId);
    return this.work.run(erasing, async (tx) =>
      (await this.references.has(scope, row._id, tx))
        ? this.files.keep(scope, row, tx)
        : this.files.beginErasing(scope, row, tx),
    );
  }
}
