import type { CountedQuota } from '@parley/platform/stocks';
import { connectionRows } from './connection.collection.ts';
import { defaultConnectionIdOf } from './default-connection.ts';

/** Data connections that were not deleted, besides the one for uploads, which every organisation has. */
export const connectionQuota: CountedQuota = {
  quota: 'connections',
  count: (mongo, scope, tx) =>
    mongo
      .rows(connectionRows)
      .within(scope, tx)
      .count({ orgId: scope.orgId, isDeleted: false, _id: { $ne: defaultConnectionIdOf(scope.orgId) } }),
};
