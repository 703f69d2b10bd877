import { Injectable } from '@nestjs/common';
import { every } from '@parley/platform/every';
import { freeingSpace, jobScope, Mongo } from '@parley/platform/mongo';
import { job, Work } from '@parley/platform/work';
import { setTimeout as wait } from 'node:timers/promises';
import { HiddenDocuments } from './hidden-documents.ts';

/** Hiding counts at once; passages of a large document that is shown again are found so much later. */
const settleEveryMs = 5_000;
/** Between two batches: other commands have the store for longer than this job. */
const pauseMs = 20;
const settling = job('hides and shows the passages of large documents');
const scope = jobScope('hiding and showing the passages of large documents');

/**
 * Brings the passages of documents that were deleted or restored to what the document says, a batch at a time. Several
 * processes may do so at once: each batch is one transaction that the row of the document takes part in.
 */
@Injectable()
export class PassageSettler {
  readonly upkeep = every('hides and shows passages', settleEveryMs, (signal) =>
    freeingSpace(() => this.settle(signal)),
  );
  private readonly hidden: HiddenDocuments;

  constructor(
    mongo: Mongo,
    private readonly work: Work,
  ) {
    this.hidden = new HiddenDocuments(mongo);
  }

  /** All that there is to do. Documents take turns, so that a small one does not wait for a large one. */
  async settle(signal?: AbortSignal): Promise<void> {
    for (let rows = await this.hidden.unsettled(scope); rows.length > 0; rows = await this.hidden.unsettled(scope))
      for (const row of rows) {
        if (signal?.aborted) return;
        await this.work.run(settling, (tx) => this.hidden.settleSome(scope.in(row.orgId), row, tx));
        await wait(pauseMs);
      }
  }
}
