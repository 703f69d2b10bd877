import { Injectable } from '@nestjs/common';
import type { BudgetId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { budgetRequestRows, type BudgetRequestRow, type CountedBudget } from './budget-sheet.collection.ts';

type Asked = Pick<BudgetRequestRow, 'userId' | 'name' | 'amount' | 'at'>;
const requestsPerTurn = 100;
const mostOpen = 200;
const mostCounted = 100;
type Period = Pick<CountedBudget, 'id' | 'periodStart'>;

/** Who asks for more of which budget, once in a period. */
@Injectable()
export class BudgetRequests {
  private readonly rows: Rows<typeof budgetRequestRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(budgetRequestRows);
  }

  /** In the current periods of these budgets, and not dismissed: the oldest 200. Others follow when these are answered. */
  async open(scope: OrganisationScope, budgets: readonly Period[]): Promise<BudgetRequestRow[]> {
    if (budgets.length === 0) return [];
    return this.rows.within(scope).find(openOf(budgets), { sort: { at: 1 }, limit: mostOpen });
  }

  /** Counts the open requests, up to 100. */
  async count(scope: OrganisationScope, budgets: readonly Period[]): Promise<number> {
    return budgets.length === 0 ? 0 : this.rows.within(scope).count(openOf(budgets), { limit: mostCounted });
  }

  /** Of which of these budgets somebody has asked for more in their current periods. */
  async askedBy(scope: OrganisationScope, userId: UserId, budgets: readonly Period[]): Promise<ReadonlySet<BudgetId>> {
    const budgetIds = budgets.map(({ id }) => id);
    const rows = await this.rows.within(scope).find({ budgetId: { $in: budgetIds }, userId });
    return new Set(rows.filter((row) => isOfNow(row, budgets)).map(({ budgetId }) => budgetId));
  }

  /** What is there where it was asked before. Wishes of earlier periods go. */
  async add(
    scope: OrganisationScope,
    tx: Transaction,
    { budget: { id: budgetId, periodStart }, asked }: { readonly budget: Period; readonly asked: Asked },
  ): Promise<{ readonly row: BudgetRequestRow; readonly isNew: boolean }> {
    const rows = this.rows.within(scope, tx);
    const { userId } = asked;
    const period = { budgetId, userId, periodStart };
    await rows.deleteMany({ ...period, periodStart: { $ne: periodStart } });
    // One of an earlier version has a key without the organisation.
    const known = await rows.findOne(period);
    if (known) return { row: known, isNew: false };
    const _id = `${scope.orgId}/${budgetId}/${userId}/${periodStart}`;
    return rows.insertOnce({ _id, orgId: scope.orgId, budgetId, periodStart, dismissedAt: null, ...asked });
  }

  /** Returns false if no open request was there. */
  async dismiss(
    scope: OrganisationScope,
    tx: Transaction,
    { budgetId, userId, at }: { readonly budgetId: BudgetId; readonly userId: UserId; readonly at: Date },
  ): Promise<boolean> {
    const open = { budgetId, userId, dismissedAt: null };
    return (await this.rows.within(scope, tx).updateMany(open, { $set: { dismissedAt: at } })) > 0;
  }

  /** Deletes some in the transaction of what answers them (ADR 0032); `forgetRest` has to follow its commit. */
  async forget(scope: OrganisationScope, tx: Transaction, budgetId: BudgetId): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const some = await rows.find({ budgetId }, { limit: requestsPerTurn, fields: ['_id'] });
    if (some.length > 0) await rows.deleteMany({ _id: { $in: some.map(({ _id }) => _id) } });
  }

  /** Deletes, in batches, what was asked until then. */
  async forgetRest(scope: OrganisationScope, budgetId: BudgetId, until: Date): Promise<void> {
    await this.rows.within(scope).deleteInBatches({ budgetId, at: { $lte: until } });
  }
}

const openOf = (budgets: readonly Period[]) => ({
  $or: budgets.map(({ id: budgetId, periodStart }) => ({ budgetId, periodStart, dismissedAt: null })),
});

const isOfNow = (row: BudgetRequestRow, budgets: readonly Period[]): boolean =>
  budgets.some(({ id, periodStart }) => id === row.budgetId && periodStart === row.periodStart);
