import type { CountedQuota } from '@parley/platform/quotas';
import type { UserId } from '@parley/protocol';
import { projectRows } from './project.collection.ts';

/** Counts the projects of a person that they see; deleted ones don't count. */
export const projectQuota = (ownerId: UserId): CountedQuota => ({
  quota: 'projects',
  userId: ownerId,
  count: (mongo, scope, tx) => mongo.rows(projectRows).within(scope, tx).count({ ownerId, isListed: true }),
});
