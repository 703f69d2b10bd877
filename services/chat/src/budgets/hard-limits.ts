import { Injectable } from '@nestjs/common';
import {
  isCountedBy,
  mostBudgets,
  type BudgetScope,
  type BudgetUse,
  type DataOf,
  type budgetChanged,
} from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { hardLimitRows } from './hard-limit.collection.ts';

/** Under which hard limits answers are written, as billing has told: about a second after it was set. */
@Injectable()
export class HardLimits {
  private readonly rows: Rows<typeof hardLimitRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(hardLimitRows);
  }

  async keep(
    scope: OrganisationScope,
    { budgetId: _id, version, scope: counted, hasHardLimit }: DataOf<typeof budgetChanged>,
    tx: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    await rows.delete({ _id });
    if (hasHardLimit) await rows.insert({ _id, orgId: scope.orgId, scope: counted, version });
  }

  async list(scope: OrganisationScope): Promise<BudgetScope[]> {
    const rows = await this.rows.within(scope).find({ orgId: scope.orgId }, { limit: mostBudgets });
    return rows.map((row) => row.scope);
  }
}

/** Whether one of these counts what is used so. */
export const isBounded = (limits: readonly BudgetScope[], use: BudgetUse): boolean =>
  limits.some((scope) => isCountedBy(scope, use));
