import { Injectable } from '@nestjs/common';
import { Blobs } from '@parley/platform/blobs';
import type { JobInput, JobRunner } from '@parley/platform/jobs';
import { Clock } from '@parley/platform/clock';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import type { eraseExport } from './export-jobs.ts';
import { blobKey } from './export.ts';
import { ExportsRepository } from './exports.repository.ts';
import { recordExport } from './record-export.ts';

const jobs = jobScope('erasing exports');
const erasing = job('erases exports');
type Input = JobInput<typeof eraseExport>;

/**
 * Erases an export: first nobody finds it, then its ZIP goes, then the row with its storage. It goes on where another
 * process ended.
 */
@Injectable()
export class ExportEraser implements JobRunner<Input> {
  constructor(
    private readonly exports: ExportsRepository,
    private readonly blobs: Blobs,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run({ orgId, exportId }: Input): Promise<void> {
    const scope = jobs.in(orgId);
    const row = await this.work.run(erasing, async (tx) => {
      const begun = await this.exports.beginErasing(scope, { _id: exportId, now: this.clock.now() }, tx);
      if (begun) recordExport(tx, begun);
      return begun ?? this.exports.findErasing(scope, exportId, tx);
    });
    if (!row) return;
    await freeingSpace(async () => {
      for (let attempt = 1; attempt <= row.attempts; attempt += 1) await this.blobs.delete(blobKey(row, attempt));
      await this.work.run(erasing, (tx) => this.exports.erase(scope, row, tx));
    });
  }
}
