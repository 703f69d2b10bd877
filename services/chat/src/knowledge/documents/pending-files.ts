import { Problem } from '@parley/contracts';
import type { Blobs } from '@parley/platform/blobs';
import type { Clock } from '@parley/platform/clock';
import { jobScope, type Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { job, type Work } from '@parley/platform/work';
import { pendingFileRows, type PendingFileRow } from './pending-file.collection.ts';

/** Longer than a request can send a file. */
const longestStoringMs = 3_600_000;
const rowsPerLook = 100;
const storing = job('stores files');
const deleting = jobScope('files that no row has');

/** The first step of the transaction that writes the row of a file. */
export type Settle = (tx: Transaction) => Promise<void>;
export type Storing<Result> = {
  readonly keys: readonly string[];
  /** Returns true where a row has the file already. */
  readonly isThere: (tx: Transaction) => Promise<boolean>;
  /** Stores the files and returns how many bytes there are more than before. */
  readonly put: () => Promise<number>;
  /** Writes the row in a transaction that calls `settle`. */
  readonly keep: (settle: Settle) => Promise<Result>;
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
 * Keeps track of files that are stored before their row. An entry is written before the file and is removed with the
 * transaction of the row; a file whose entry stays is deleted. Until then its bytes count for the storage quota, also
 * when the process dies.
 */
export class PendingFiles {
  private readonly rows: Rows<typeof pendingFileRows>;

  constructor(private readonly parts: PendingParts) {
    this.rows = parts.mongo.rows(pendingFileRows);
  }

  /** Stores files and writes their row. Where either fails, files that no row has are deleted before it throws. */
  async store<Result>(scope: OrganisationScope, { keys, isThere, put, keep }: Storing<Result>): Promise<Result> {
    await this.begin(scope, keys, isThere);
    let bytes = 0;
    try {
      const more = await put();
      await this.parts.work.run(storing, (tx) => this.count(scope, tx, { key: keys[0]!, by: more }));
      bytes = more;
      return await keep((tx) => this.settle(scope, tx, { keys, bytes }));
    } catch (error) {
      // The job deletes a file that can't be deleted now.
      for (const [at, key] of keys.entries())
        await this.discard(scope, key, at === 0 ? bytes : 0).catch(() => undefined);
      throw error;
    }
  }

  /** Deletes what processes that died have left. */
  async deleteOverdue(): Promise<void> {
    const overdue = { dueAt: { $lte: this.parts.clock.now() } };
    const list = (): Promise<PendingFileRow[]> => this.rows.within(deleting).find(overdue, { limit: rowsPerLook });
    for (let rows = await list(); rows.length > 0; rows = await list())
      for (const { _id, orgId } of rows) await this.discard(deleting.in(orgId), _id, null);
  }

  private async begin(scope: OrganisationScope, keys: readonly string[], isThere: Storing<never>['isThere']) {
    const { clock, work } = this.parts;
    const dueAt = new Date(clock.now().getTime() + longestStoringMs);
    await work.run(storing, async (tx) => {
      const rows = this.rows.within(scope, tx);
      for (const _id of keys) {
        const known = await rows.change({ _id }, { $inc: { uploads: 1 }, $set: { dueAt } });
        if (known?.isGoing)
          throw new Problem('platform.conflict', {
            detail: 'The file of an earlier attempt is being deleted. Try again.',
          });
        // Read after the entry is written: a transaction that writes the row changes the entry, too, so one of them runs again.
        const fresh = { _id, orgId: scope.orgId, uploads: 1, bytes: 0, isGoing: false, dueAt };
        if (!known) await rows.insert({ ...fresh, isKept: await isThere(tx) });
      }
    });
  }

  private async count(scope: OrganisationScope, tx: Transaction, { key, by }: { key: string; by: number }) {
    const rows = this.rows.within(scope, tx);
    if (!(await rows.change({ _id: key, isGoing: false }, { $inc: { bytes: by } }))) throw tookTooLong();
    await this.parts.count(scope, tx, by);
  }

  private async settle(
    scope: OrganisationScope,
    tx: Transaction,
    { keys, bytes }: { readonly keys: readonly string[]; readonly bytes: number },
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    for (const [at, _id] of keys.entries()) {
      const change = { $inc: { uploads: -1, bytes: at === 0 ? -bytes : 0 }, $set: { isKept: true } };
      const row = await rows.change({ _id, isGoing: false }, change);
      if (!row) throw tookTooLong();
      if (row.uploads === 0) await rows.delete({ _id });
    }
    await this.parts.count(scope, tx, -bytes);
  }

  /** Removes one request; the last one deletes the file unless a row has it. `bytes` is null when all of them died. */
  private async discard(scope: OrganisationScope, _id: string, bytes: number | null): Promise<void> {
    const { blobs, work } = this.parts;
    const isLast = await work.run(storing, async (tx) => {
      const rows = this.rows.within(scope, tx);
      const row = await rows.findById(_id);
      if (!row) return false;
      if (bytes !== null && row.uploads > 1) {
        await rows.update({ _id }, { $inc: { uploads: -1, bytes: -bytes } });
        await this.parts.count(scope, tx, -bytes);
        return false;
      }
      if (!row.isKept) return rows.update({ _id }, { $set: { isGoing: true } });
      await this.forget(scope, tx, row);
      return false;
    });
    if (!isLast) return;
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
