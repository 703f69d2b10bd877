import { Injectable } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRunner } from '@parley/platform/jobs';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { FileReferences } from '../../conversations/index.ts';
import type { FileRow } from './file.collection.ts';
import type { checkFile } from './file-jobs.ts';
import { FilePassages } from './file-passages.ts';
import { blobKey, isImage, seenKey } from './file.ts';
import { FilesRepository } from './files.repository.ts';

/** Delays the next check of a file that was changed during this one. */
const againMs = 60_000;
const erasing = job('erases files that nothing refers to');
const jobs = jobScope('erasing files that nothing refers to');
type Input = JobInput<typeof checkFile>;

/**
 * Erases files of chats that nothing refers to any more: first nobody finds it, then passages in batches, then the file
 * (and an image as models see it), then the row with its storage. It goes on where another process ended; two may work on the same file.
 */
@Injectable()
export class FileEraser implements JobRunner<Input> {
  constructor(
    private readonly files: FilesRepository,
    private readonly passages: FilePassages,
    private readonly references: FileReferences,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run({ orgId, fileId }: Input): Promise<GoesOn | void> {
    const now = this.clock.now();
    const row = await this.files.findAny(jobs.in(orgId), fileId);
    if (!row || (row.checkAt === null && !row.isErasing)) return;
    if (row.checkAt !== null && row.checkAt > now) return goOn(row.checkAt);
    // Its reader may still store something, which would stay.
    if (row.status === 'reading' && row.leaseUntil !== null && row.leaseUntil > now) return goOn(row.leaseUntil);
    const isDone = await freeingSpace(() => this.check(row));
    if (!isDone) return goOn(new Date(now.getTime() + againMs));
  }

  /** Keeps or erases it; false where neither could be done now. */
  async check(row: FileRow): Promise<boolean> {
    const scope = jobs.in(row.orgId);
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
