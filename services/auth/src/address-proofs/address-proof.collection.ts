import { mailId } from '@parley/contracts';
import { userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** A link that proves an address, while it works. A person has one at most. */
export const addressProofRows = collection(
  'address_proofs',
  {
    /** The hash of its token. */
    _id: z.string(),
    userId,
    mailId,
    endsAt: z.date(),
    createdAt: z.date(),
  },
  { tenant: { person: 'userId' }, indexes: [{ userId: 1 }, [{ endsAt: 1 }, { expireAfterSeconds: 0 }]] },
);
