import type { StockSource } from '@parley/platform/stocks';
import { invitationRows } from './invitation.collection.ts';

/** Invitations and links that have not ended; one that is over counts until its upkeep has ended it. */
export const invitationStock: StockSource = {
  stock: 'invitations',
  rows: invitationRows,
  count: (mongo, scope) => mongo.rows(invitationRows).within(scope).count({ orgId: scope.orgId, status: 'pending' }),
};
