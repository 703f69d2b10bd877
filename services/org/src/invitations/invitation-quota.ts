import type { QuotaSource } from '@parley/platform/quotas';
import { invitationReservationRows } from './invitation-reservation.collection.ts';
import { invitationRows } from './invitation.collection.ts';

/** Invitations and links that have not ended, and those a call is about to make; one that is over counts until its upkeep has ended it. */
export const invitationQuota: QuotaSource = {
  quota: 'invitations',
  rows: invitationRows,
  count: async (mongo, scope) => {
    const { orgId } = scope;
    const open = await mongo.rows(invitationRows).within(scope).count({ orgId, status: 'pending' });
    const held = await mongo
      .rows(invitationReservationRows)
      .within(scope)
      .find({ orgId }, { fields: ['left'] });
    return held.reduce((sum, { left }) => sum + left, open);
  },
};
