import type { CountedQuota } from '@parley/platform/quotas';
import type { UserId } from '@parley/protocol';
import { apiKeyRows } from './api-key.collection.ts';

/** API keys of a person in an organisation that work: they also end as time passes. */
export const apiKeyQuota = (userId: UserId, now: Date): CountedQuota => ({
  quota: 'apiKeys',
  userId,
  count: (mongo, scope, tx) =>
    mongo
      .rows(apiKeyRows)
      .within(scope, tx)
      .count({ orgId: scope.orgId, userId, endsAt: { $gt: now } }),
});
