import { nameRevealId, pseudonymId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * Whose a pseudonym is, for the one person who asked and as long as it was asked for: nothing else says so, and the row
 * goes with its time.
 */
export const shownNameRows = collection(
  'shown_names',
  {
    _id: nameRevealId,
    orgId,
    /** Who sees it. */
    by: userId,
    pseudonym: pseudonymId,
    name: z.string(),
    until: z.date(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, by: 1 }, [{ until: 1 }, { expireAfterSeconds: 0 }]] },
);
