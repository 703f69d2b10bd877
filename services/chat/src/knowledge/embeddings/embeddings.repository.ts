import { Injectable } from '@nestjs/common';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { embeddingRows, type EmbeddingRow } from './embedding.collection.ts';

export type Progress = Partial<Omit<EmbeddingRow, '_id' | 'orgId'>>;

@Injectable()
export class EmbeddingsRepository {
  private readonly rows: Rows<typeof embeddingRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(embeddingRows);
  }

  find(scope: OrganisationScope): Promise<EmbeddingRow | null> {
    return this.rows.recall(scope, 'its own', (rows) => rows.findById(scope.orgId));
  }

  /** Nothing is there yet of an organisation whose provider embeds for the first time. */
  async begin(scope: OrganisationScope, now: Date): Promise<EmbeddingRow> {
    const { orgId } = scope;
    const nothing = { of: null, isForgetting: false, dimensions: null, revision: 0, asking: null, isFull: false };
    const times = { leaseHolder: null, leaseUntil: now, nextAt: now };
    const begun = { _id: orgId, orgId, ...nothing, ...times, failures: 0, failure: null };
    return (await this.rows.within(scope).insertOnce(begun)).row;
  }

  async keep(scope: OrganisationScope, set: Progress, tx: Transaction): Promise<void> {
    await this.rows.within(scope, tx).update({ _id: scope.orgId }, { $set: set });
  }
}
