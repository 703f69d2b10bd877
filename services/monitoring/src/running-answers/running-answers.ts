import { Injectable } from '@nestjs/common';
import type { GenerationId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { runningAnswerRows, type RunningAnswerRow } from './running-answer.collection.ts';

const following = jobScope('answers of all organisations begin and end together');

/** Which answers are being written, or wait for it. */
@Injectable()
export class RunningAnswers {
  private readonly rows: Rows<typeof runningAnswerRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(runningAnswerRows);
  }

  async begin(tx: Transaction, answers: readonly RunningAnswerRow[]): Promise<void> {
    const once = answers.map(({ _id, orgId, ...answer }) => ({
      filter: { _id, orgId },
      change: { $setOnInsert: answer },
    }));
    await this.rows.within(following, tx).later.upsertEach(once);
  }

  async end(tx: Transaction, ids: readonly GenerationId[]): Promise<void> {
    await this.rows.within(following, tx).later.deleteMany({ _id: { $in: [...ids] } });
  }

  /** Oldest first, up to the limit. */
  list(scope: OrganisationScope, limit: number): Promise<RunningAnswerRow[]> {
    return this.rows.within(scope).find({}, { sort: { queuedAt: 1 }, limit });
  }

  countAll(scope: OrganisationScope): Promise<number> {
    return this.rows.within(scope).count({});
  }

  /** How many each person has; who has none is not in it. */
  async count(scope: OrganisationScope): Promise<ReadonlyMap<UserId, number>> {
    const counts = new Map<UserId, number>();
    for (const { userId } of await this.rows.within(scope).find({}, { fields: ['userId'] }))
      counts.set(userId, (counts.get(userId) ?? 0) + 1);
    return counts;
  }
}
