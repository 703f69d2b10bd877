import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Room that one invite call holds until its last transaction; seats and the quota of invitations count it. */
export const invitationReservationRows = collection(
  'invitation_reservations',
  { _id: z.string(), orgId, left: z.number().int(), endsAt: z.date() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1 }, { endsAt: 1 }] },
);
export type InvitationReservationRow = RowOf<typeof invitationReservationRows>;
