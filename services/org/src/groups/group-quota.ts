import type { CountedQuota } from '@parley/platform/quotas';
import { groupRows } from './group.collection.ts';

/** Groups of an organisation. */
export const groupQuota: CountedQuota = {
  quota: 'groups',
  count: (mongo, scope, tx) => mongo.rows(groupRows).within(scope, tx).count({}),
};
