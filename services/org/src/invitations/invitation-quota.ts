import type { CountedQuota } from '@parley/platform/quotas';
import { invitationRows } from './invitation.collection.ts';

/** Invitations and links that have not ended; one that is over counts until its upkeep has ended it. */
export const invitationQuota: CountedQuota = {
  quota: 'invitations',
  count: (mongo, scope) => mongo.rows(invitationRows).within(scope).count({ status: 'pending' }),
};
