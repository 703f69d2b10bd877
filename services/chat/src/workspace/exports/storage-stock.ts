import type { StockSource } from '@parley/platform/stocks';
import { storageStock } from '../../knowledge/files/index.ts';
import { exportRows } from './export.collection.ts';

/** All that organisations store, with the exports of people. */
export const storageWithExports: StockSource = {
  ...storageStock,
  count: async (mongo, scope) => {
    const { bytes } = await mongo.rows(exportRows).within(scope).sum({ orgId: scope.orgId }, ['bytes']);
    return bytes + (await storageStock.count(mongo, scope));
  },
};
