import type { CountedQuota } from '@parley/platform/quotas';
import type { UserId } from '@parley/protocol';
import { projectRows } from './project.collection.ts';

/** Counts a person's projects, without deleted ones. */
export const projectQuota = (ownerId: UserId): CountedQuota => ({
  quota: 'projects',
  userId: ownerId,
  count: (mongo, scope, tx) => mongo.rows(projectRows).within(scope, tx).count({ ownerId, isListed: true }),
});
