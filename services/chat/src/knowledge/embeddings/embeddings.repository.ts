import { Injectable } from '@nestjs/common';
import type { OrgId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type PlatformScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { embeddingRows, type EmbeddingRow } from './embedding.collection.ts';

/** Between two steps nobody has it. */
const free = { leaseHolder: null, leaseUntil: new Date(0) };

@Injectable()
export class EmbeddingsRepository {
  private readonly rows: Rows<typeof embeddingRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(embeddingRows);
  }

  find(scope: OrganisationScope): Promise<EmbeddingRow | null> {
    return this.rows.recall(scope, 'its own', (rows) => rows.findById(scope.orgId));
  }

  /** The organisations whose time has come, those that wait longest first. */
  async listDue(scope: PlatformScope, now: Date): Promise<OrgId[]> {
    // Without the time, so that a process that is alone reads it again after a change only.
    const first = await this.rows.recall(scope, 'first', (rows) =>
      rows.find({}, { sort: { nextAt: 1 }, limit: 100, fields: ['orgId', 'nextAt', 'leaseUntil'] }),
    );
    return first.filter(({ nextAt, leaseUntil }) => nextAt <= now && leaseUntil <= now).map(({ orgId }) => orgId);
  }

  /** Nothing is there yet of an organisation whose provider embeds for the first time. */
  async begin(scope: OrganisationScope, now: Date): Promise<void> {
    const { orgId } = scope;
    await this.rows
      .within(scope)
      .insertOnce({
        _id: orgId,
        orgId,
        of: null,
        isForgetting: false,
        dimensions: null,
        revision: 0,
        asking: null,
        ...free,
        nextAt: now,
        failures: 0,
        failure: null,
        isFull: false,
      });
  }

  /** Null when another worker has it, or its time has not come. */
  claim(
    scope: OrganisationScope,
    { holder, until, now }: { readonly holder: string; readonly until: Date; readonly now: Date },
  ): Promise<EmbeddingRow | null> {
    const due = { _id: scope.orgId, nextAt: { $lte: now }, leaseUntil: { $lte: now } };
    return this.rows.within(scope).change(due, { $set: { leaseHolder: holder, leaseUntil: until } });
  }

  /** Null where the lease was lost: then nothing of this step counts. */
  keep(
    scope: OrganisationScope,
    { leaseHolder }: Pick<EmbeddingRow, 'leaseHolder'>,
    set: Partial<Omit<EmbeddingRow, '_id' | 'orgId'>>,
    tx?: Transaction,
  ): Promise<EmbeddingRow | null> {
    return this.rows.within(scope, tx).change({ _id: scope.orgId, leaseHolder }, { $set: set });
  }

  /** The last thing of a step. */
  release(
    scope: OrganisationScope,
    held: Pick<EmbeddingRow, 'leaseHolder'>,
    set: Partial<Omit<EmbeddingRow, '_id' | 'orgId'>>,
    tx?: Transaction,
  ): Promise<EmbeddingRow | null> {
    return this.keep(scope, held, { ...set, ...free }, tx);
  }

  /** A worker of an earlier process is gone. */
  async releaseAll(scope: PlatformScope): Promise<void> {
    await this.rows.within(scope).updateMany({}, { $set: free });
  }
}
