import type { CountedQuota } from '@parley/platform/quotas';
import { roleRows } from './role.collection.ts';

/** Roles of an organisation's own. */
export const roleQuota: CountedQuota = {
  quota: 'roles',
  count: (mongo, scope, tx) => mongo.rows(roleRows).within(scope, tx).count({}),
};
