import { Injectable } from '@nestjs/common';
import { Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { Model } from 'mongoose';
import { generationCountSchema, type GenerationCountRow } from './generation-count.schema.ts';
import type { Increments } from './generation-counts.ts';

@Injectable()
export class GenerationCountsRepository {
  private readonly counts: Model<GenerationCountRow>;

  constructor(mongo: Mongo) {
    this.counts = mongo.model('GenerationCount', generationCountSchema);
  }

  async add(scope: OrganisationScope, increments: Increments, tx: Transaction): Promise<void> {
    await this.counts.updateOne(
      { _id: scope.orgId },
      { $inc: increments, $setOnInsert: { since: new Date() } },
      { upsert: true, session: tx.session },
    );
  }

  async find(scope: OrganisationScope): Promise<GenerationCountRow | null> {
    return this.counts.findById(scope.orgId).lean();
  }
}
