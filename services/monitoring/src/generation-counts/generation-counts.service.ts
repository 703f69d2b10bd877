import { Injectable } from '@nestjs/common';
import type { getGenerationCounts, OrgId, ResponseOf } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type Rows, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { generationCountRows } from './generation-count.collection.ts';
import { toCounts, type Increments } from './generation-counts.ts';

const counting = jobScope('attempts of all organisations are counted together');

@Injectable()
export class GenerationCountsService {
  private readonly counts: Rows<typeof generationCountRows>;

  constructor(
    mongo: Mongo,
    private readonly clock: Clock,
  ) {
    this.counts = mongo.rows(generationCountRows);
  }

  async add(increments: ReadonlyMap<OrgId, Increments>, tx: Transaction): Promise<void> {
    const since = this.clock.now();
    for (const [orgId, $inc] of increments)
      await this.counts.within(counting.in(orgId), tx).upsert({}, { $inc, $setOnInsert: { since } });
  }

  async read({ scope }: InputOf<typeof getGenerationCounts>): Promise<ResponseOf<typeof getGenerationCounts>> {
    const row = await this.counts.within(scope).findOne({});
    return { ...toCounts(row), since: (row?.since ?? this.clock.now()).toISOString() };
  }
}
