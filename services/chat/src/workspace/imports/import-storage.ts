import type { StockSource } from '@parley/platform/stocks';
import { importRows } from './import.collection.ts';

/** The same storage with uploads of imports, while these are there. */
export const withUploads = (storage: StockSource): StockSource => ({
  ...storage,
  count: async (mongo, scope) => {
    const { storedBytes } = await mongo.rows(importRows).within(scope).sum({ orgId: scope.orgId }, ['storedBytes']);
    return storedBytes + (await storage.count(mongo, scope));
  },
});
