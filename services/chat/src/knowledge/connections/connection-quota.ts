import type { CountedQuota } from '@parley/platform/quotas';
import { connectionRows } from './connection.collection.ts';
import { defaultConnectionIdOf, keptIdsOf } from './default-connection.ts';

/** Data connections that were not deleted, besides the one for uploads, which every organisation has. */
export const connectionQuota: CountedQuota = {
  quota: 'connections',
  count: (mongo, scope, tx) => {
    const { orgId } = scope;
    const uploads = keptIdsOf(orgId, defaultConnectionIdOf(orgId));
    return mongo
      .rows(connectionRows)
      .within(scope, tx)
      .count({ orgId, isDeleted: false, _id: { $nin: uploads } });
  },
};
