import type { StockSource } from '@parley/platform/stocks';
import { emailCountRows } from './email-count.collection.ts';

/** Invitation emails of the hour in which there were any last. */
export const emailStock: StockSource = {
  stock: 'emails',
  rows: emailCountRows,
  count: async (mongo, scope) => (await mongo.rows(emailCountRows).within(scope).findById(scope.orgId))?.count ?? 0,
};
