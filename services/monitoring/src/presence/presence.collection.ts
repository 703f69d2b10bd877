import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const session = z.strictObject({ key: z.string(), browser: z.string().nullable(), system: z.string().nullable() });

/** Who is in an organisation by the sockets of one BFF, until nobody has told it again for too long. */
export const presenceRows = collection(
  'presence',
  {
    /** `<BFF>/<organisation>` */
    _id: z.string(),
    orgId,
    people: z.array(z.strictObject({ userId, sessions: z.array(session) })),
    /** Older rows, of a BFF that did not say, have none. */
    sockets: z.number().int().optional(),
    until: z.date(),
  },
  {
    tenant: { organisation: 'orgId' },
    // Those that are over are no answer before they are deleted: queries ask for `until`.
    indexes: [{ orgId: 1, until: 1 }, [{ until: 1 }, { expireAfterSeconds: 60 }]],
  },
);
export type PresentPerson = RowOf<typeof presenceRows>['people'][number];

/** When each member last did something; kept for good. */
export const lastActionRows = collection(
  'last_actions',
  {
    /** `<organisation>/<person>` */
    _id: z.string(),
    orgId,
    userId,
    at: z.date(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' } },
);
