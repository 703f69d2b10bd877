import { nameRevealId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';
import { keptDays } from './active-day.collection.ts';

const daySeconds = 86_400;

/** Who has seen whose name, why and until when, for the person to read; under which pseudonym is not among it. */
export const nameRevealRows = collection(
  'name_reveals',
  {
    _id: nameRevealId,
    orgId,
    /** Whose name it is. */
    userId,
    /** Who saw it, under the name of then. */
    by: userId,
    byName: z.string(),
    reason: z.string(),
    at: z.date(),
    /** When it ends, or ended. */
    until: z.date(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [{ orgId: 1, userId: 1, at: -1, _id: -1 }, [{ at: 1 }, { expireAfterSeconds: keptDays * daySeconds }]],
  },
);
export type NameRevealRow = RowOf<typeof nameRevealRows>;
