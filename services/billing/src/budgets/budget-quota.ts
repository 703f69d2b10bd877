import type { CountedQuota } from '@parley/platform/quotas';
import { budgetSheetRows } from './budget-sheet.collection.ts';

/** Budgets of an organisation's sheet. */
export const budgetQuota: CountedQuota = {
  quota: 'budgets',
  count: async (mongo, scope, tx) =>
    (await mongo.rows(budgetSheetRows).within(scope, tx).findById(scope.orgId))?.budgets.length ?? 0,
};
