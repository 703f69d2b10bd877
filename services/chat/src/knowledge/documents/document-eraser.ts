import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { goOn, type GoesOn, type JobInput, type JobRunner } from '@parley/platform/jobs';
import { freeingSpace, jobScope } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { KeywordIndex } from '../retrieval/index.ts';
import { eraseAtOf, type eraseDocument } from './document-jobs.ts';
import type { DocumentRow } from './rows/document.collection.ts';
import { blobKey } from './rows/document.ts';
import { DocumentsRepository } from './rows/documents.repository.ts';
import { StorageQuota } from './storing/storage-quota.ts';

const erasing = job('erases deleted documents');
const jobs = jobScope('erasing deleted documents');
type Input = JobInput<typeof eraseDocument>;

/**
 * Erases documents that were deleted 7 days ago, or that somebody erases now: passages with their vectors, in batches,
 * then the row, then the file that it had. It goes on where another process ended; two may work on the same document.
 */
@Injectable()
export class DocumentEraser implements JobRunner<Input> {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly retrieval: KeywordIndex,
    private readonly quota: StorageQuota,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async run({ orgId, documentId }: Input): Promise<GoesOn | void> {
    const row = await this.documents.find(jobs.in(orgId), documentId, { withDeleted: true });
    const eraseAt = row && eraseAtOf(row);
    if (!eraseAt) return;
    const now = this.clock.now();
    if (eraseAt > now) return goOn(eraseAt);
    // Its reader may still index passages, which would stay.
    if (row.status === 'reading' && row.leaseUntil && row.leaseUntil > now) return goOn(row.leaseUntil);
    await freeingSpace(() => this.erase(row));
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
