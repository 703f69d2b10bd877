import { Injectable } from '@nestjs/common';
import type { getGenerationCounts, ResponseOf } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { generationCountRows } from './generation-count.collection.ts';
import { toCounts, type Increments } from './generation-counts.ts';

@Injectable()
export class GenerationCountsService {
  private readonly counts: Rows<typeof generationCountRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.counts = mongo.rows(generationCountRows);
  }

  async add(scope: OrganisationScope, increments: Increments, tx: Transaction): Promise<void> {
    const since = this.clock.now();
    await this.counts.within(scope, tx).upsert({}, { $inc: increments, $setOnInsert: { since } });
  }

  async read({ scope }: InputOf<typeof getGenerationCounts>): Promise<ResponseOf<typeof getGenerationCounts>> {
    const row = await this.counts.within(scope).findOne({});
    return { ...toCounts(row), since: (row?.since ?? this.clock.now()).toISOString() };
  }
}
