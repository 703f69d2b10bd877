import type { QuotaSource } from '@parley/platform/quotas';
import { storageSource } from '../../knowledge/files/index.ts';
import { exportRows } from './export.collection.ts';

/** All that organisations store, with the exports of people. */
export const storageWithExports: QuotaSource = {
  ...storageSource,
  count: async (mongo, scope) => {
    const { bytes } = await mongo.rows(exportRows).within(scope).sum({ orgId: scope.orgId }, ['bytes']);
    return bytes + (await storageSource.count(mongo, scope));
  },
};
