import type { Blobs } from '@parley/platform/blobs';
import type { Clock } from '@parley/platform/clock';
import { jobScope, type Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { job, type Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { pendingFileRows, type PendingFileRow } from '../rows/pending-file.collection.ts';

/**
 * Files that a dead process has left are deleted after this time. It is longer than any upload: those of less than a
 * kilobyte a second are cut, and at that speed the largest file (50 MB) takes 14 hours.
 */
const keptMs = 24 * 3_600_000;
const rowsPerLook = 100;
const storing = job('stores files');
const deleting = jobScope('files that no row has');

/** The first step of the transaction that writes the row of a file. */
export type Settle = (tx: Transaction) => Promise<void>;
/** Has a file deleted once the transaction is committed that takes it from its row; best called as its last step. */
export type Drop = (tx: Transaction, key: string) => Promise<void>;
export type Storing<Result> = {
  /** Names files that nothing else stores, so that a refusal takes nothing from a row. */
  readonly keys: readonly string[];
  /** Stores the files and returns how many bytes there are more than before. */
  readonly put: () => Promise<number>;
  /** Writes the row in a transaction that calls `settle`. */
  readonly keep: (settle: Settle, drop: Drop) => Promise<Result>;
};
export type PendingParts = {
  readonly mongo: Mongo;
  readonly blobs: Blobs;
  readonly work: Work;
  readonly clock: Clock;
  /** Changes what the organisation stores; refuses growth above its quota. */
  readonly count: (scope: OrganisationScope, tx: Transaction, by: number) => Promise<void>;
};

/**
 * Keeps track of files that no row has: of those that are stored before their row, and of those that their row has lost.
 * An entry is written before the file and is removed with the transaction of the row; a file whose entry stays is
 * deleted. Until then its bytes count for the storage quota, also when the process dies.
 */
export class PendingFiles {
  private readonly rows: Rows<typeof pendingFileRows>;

  constructor(private readonly parts: PendingParts) {
    this.rows = parts.mongo.rows(pendingFileRows);
  }

  /** Stores files and writes their row. Where either fails, the files are deleted before it throws. */
  async store<Result>(scope: OrganisationScope, { keys, put, keep }: Storing<Result>): Promise<Result> {
    const { clock, work } = this.parts;
    const dueAt = new Date(clock.now().getTime() + keptMs);
    await work.run(storing, (tx) => this.enter(scope, tx, { keys, isGoing: false, dueAt }));
    try {
      const more = await put();
      await work.run(storing, (tx) => this.count(scope, tx, { key: keys[0]!, by: more }));
      return await this.dropping(scope, (drop) => keep((tx) => this.settle(scope, tx, keys), drop));
    } catch (error) {
      await this.discardAll(scope, keys);
      throw error;
    }
  }

  /** Runs what takes files from their rows, then deletes these. */
  async dropping<Result>(scope: OrganisationScope, run: (drop: Drop) => Promise<Result>): Promise<Result> {
    const keys = new Set<string>();
    const result = await run(async (tx, key) => {
      await this.enter(scope, tx, { keys: [key], isGoing: true, dueAt: this.parts.clock.now() });
      keys.add(key);
    });
    await this.discardAll(scope, [...keys]);
    return result;
  }

  /** Deletes what processes that died have left. */
  async deleteOverdue(): Promise<void> {
    const overdue = { dueAt: { $lte: this.parts.clock.now() } };
    const list = (): Promise<PendingFileRow[]> => this.rows.within(deleting).find(overdue, { limit: rowsPerLook });
    for (let rows = await list(); rows.length > 0; rows = await list())
      for (const { _id, orgId } of rows) await this.discard(deleting.in(orgId), _id);
  }

  private async enter(
    scope: OrganisationScope,
    tx: Transaction,
    { keys, ...entry }: Pick<PendingFileRow, 'isGoing' | 'dueAt'> & { readonly keys: readonly string[] },
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    for (const _id of keys) await rows.insertOnce({ _id, orgId: scope.orgId, bytes: 0, ...entry });
  }

  private async count(scope: OrganisationScope, tx: Transaction, { key, by }: { key: string; by: number }) {
    const rows = this.rows.within(scope, tx);
    if (!(await rows.change({ _id: key, isGoing: false }, { $inc: { bytes: by } }))) throw tookTooLong();
    await this.parts.count(scope, tx, by);
  }

  private async settle(scope: OrganisationScope, tx: Transaction, keys: readonly string[]): Promise<void> {
    const rows = this.rows.within(scope, tx);
    for (const _id of keys) {
      const row = await rows.findOne({ _id, isGoing: false });
      if (!row) throw tookTooLong();
      await this.forget(scope, tx, row);
    }
  }

  /** The job deletes a file that can't be deleted now. */
  private async discardAll(scope: OrganisationScope, keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.discard(scope, key).catch(() => undefined);
  }

  private async discard(scope: OrganisationScope, _id: string): Promise<void> {
    const { blobs, work } = this.parts;
    const isGoing = await work.run(storing, async (tx) => {
      const rows = this.rows.within(scope, tx);
      const row = await rows.findById(_id);
      if (!row) return false;
      if (!row.isKept) return rows.update({ _id }, { $set: { isGoing: true } });
      await this.forget(scope, tx, row);
      return false;
    });
    if (!isGoing) return;
    await blobs.delete(_id);
    await work.run(storing, async (tx) => {
      const row = await this.rows.within(scope, tx).findById(_id);
      if (row?.isGoing) await this.forget(scope, tx, row);
    });
  }

  private async forget(scope: OrganisationScope, tx: Transaction, { _id, bytes }: PendingFileRow): Promise<void> {
    await this.rows.within(scope, tx).delete({ _id });
    await this.parts.count(scope, tx, -bytes);
  }
}

const tookTooLong = (): Problem =>
  new Problem('platform.unavailable', { detail: 'This took too long. Send it again.' });
