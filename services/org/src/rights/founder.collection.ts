import { userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** The guard of how many organisations a person has created and owns: whoever adds one changes this row with it. */
export const founderRows = collection(
  'founders',
  { _id: userId, changes: z.number().int() },
  { tenant: { person: '_id' } },
);
