import type { QuotaSource } from '@parley/platform/quotas';
import { importRows } from './import.collection.ts';

/** The same storage with uploads of imports, while these are there. */
export const withUploads = (storage: QuotaSource): QuotaSource => ({
  ...storage,
  count: async (mongo, scope) => {
    const { storedBytes } = await mongo.rows(importRows).within(scope).sum({ orgId: scope.orgId }, ['storedBytes']);
    return storedBytes + (await storage.count(mongo, scope));
  },
});
