import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { Sweep } from '@parley/platform/sweep';
import { job, Work } from '@parley/platform/work';
import { ChatSettings } from '../../chat.config.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { RetrievalIndex } from '../retrieval/index.ts';
import type { DocumentRow } from './rows/document.collection.ts';
import { blobKey } from './rows/document.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import { StorageQuota } from './storing/storage-quota.ts';

const sweepMs = 60_000;
/** Expired documents per look. The next look starts with what people erase now, so that they don't wait for these. */
const oldPerLook = 5;
const erasing = job('erases deleted documents');
const jobs = jobScope('erasing deleted documents');

/**
 * Erases documents that were deleted 7 days ago, or that somebody erases now: passages with their vectors, in batches,
 * then the row, then the file that it had. It goes on where another process ended; two may work on the same document.
 */
@Injectable()
export class DocumentEraser implements OnApplicationBootstrap, OnApplicationShutdown {
  private isStopped = false;
  private readonly sweep = new Sweep({
    run: () => freeingSpace(() => this.eraseAll()),
    everyMs: sweepMs,
    whenFailed: (err) => this.platform.logger.warn({ err }, 'erasing documents failed; trying again'),
  });

  constructor(
    private readonly documents: DocumentsRepository,
    private readonly retrieval: RetrievalIndex,
    private readonly quota: StorageQuota,
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
    for (;;) {
      const now = this.clock.now();
      const old = await this.documents.listDeletedBefore(jobs, new Date(now.getTime() - keepDeletedMs), oldPerLook);
      const some = [...(await this.documents.listErasing(jobs, now)), ...old];
      if (some.length === 0) return;
      for (const row of some) {
        if (this.isStopped) return;
        await this.erase(row);
      }
    }
  }

  /** Begins it first where nobody has: what was restored meanwhile stays whole. */
  async erase(row: DocumentRow): Promise<void> {
    const scope = jobs.in(row.orgId);
    if (!row.isErasing && !(await this.work.run(erasing, (tx) => this.documents.beginErasing(scope, row._id, tx))))
      return;
    await this.retrieval.remove(scope, row._id);
    await this.quota.dropping(scope, (drop) =>
      this.work.run(erasing, async (tx) => {
        const purged = await this.documents.purge(scope, row._id, tx);
        if (purged) await drop(tx, blobKey(purged));
      }),
    );
  }
}
