import type { QuotaSource } from '@parley/platform/quotas';
import { emailCountRows } from './email-count.collection.ts';

/** Counts the invitation emails of the latest hour with any. */
export const emailQuota: QuotaSource = {
  quota: 'emails',
  rows: emailCountRows,
  count: async (mongo, scope) => (await mongo.rows(emailCountRows).within(scope).findById(scope.orgId))?.count ?? 0,
};
