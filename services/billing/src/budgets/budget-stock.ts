import type { StockSource } from '@parley/platform/stocks';
import { budgetSheetRows } from './budget-sheet.collection.ts';

/** Budgets of an organisation's sheet. */
export const budgetStock: StockSource = {
  stock: 'budgets',
  rows: budgetSheetRows,
  orgField: '_id',
  count: async (mongo, scope) =>
    (await mongo.rows(budgetSheetRows).within(scope).findById(scope.orgId))?.budgets.length ?? 0,
};
