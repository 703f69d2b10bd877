import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

const keptForSeconds = 24 * 3_600;

/** How many have registered by an invitation, while it is open. */
export const invitationUseRows = collection(
  'invitation_uses',
  {
    /** Hash of its secret. */
    _id: z.string(),
    count: z.number().int(),
    endsAt: z.date(),
  },
  { tenant: 'platform', indexes: [[{ endsAt: 1 }, { expireAfterSeconds: keptForSeconds }]] },
);
