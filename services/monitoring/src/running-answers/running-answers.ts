import { Injectable } from '@nestjs/common';
import type { GenerationId, UserId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { runningAnswerRows, type RunningAnswerRow } from './running-answer.collection.ts';

/** Which answers are being written, or wait for it. */
@Injectable()
export class RunningAnswers {
  private readonly rows: Rows<typeof runningAnswerRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(runningAnswerRows);
  }

  async begin(scope: OrganisationScope, tx: Transaction, answer: Omit<RunningAnswerRow, 'orgId'>): Promise<void> {
    await this.rows.within(scope, tx).insertOnce({ ...answer, orgId: scope.orgId });
  }

  async end(scope: OrganisationScope, tx: Transaction, _id: GenerationId): Promise<void> {
    await this.rows.within(scope, tx).delete({ _id });
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
