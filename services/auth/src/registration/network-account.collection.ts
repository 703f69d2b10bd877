import { userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** The first account that a network registered on a day, without an invitation. */
export const networkAccountRows = collection(
  'network_accounts',
  {
    /** Hash of the day and the network. */
    _id: z.string(),
    userId,
    endsAt: z.date(),
  },
  { tenant: 'platform', indexes: [[{ endsAt: 1 }, { expireAfterSeconds: 0 }]] },
);
