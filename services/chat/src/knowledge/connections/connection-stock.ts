import type { StockSource } from '@parley/platform/stocks';
import { connectionRows } from './connection.collection.ts';
import { defaultConnectionIdOf } from './default-connection.ts';

/** Data connections that were not deleted, besides the one for uploads. */
export const connectionStock: StockSource = {
  stock: 'connections',
  rows: connectionRows,
  count: (mongo, scope) =>
    mongo
      .rows(connectionRows)
      .within(scope)
      .count({ orgId: scope.orgId, isDeleted: false, _id: { $ne: defaultConnectionIdOf(scope.orgId) } }),
};
