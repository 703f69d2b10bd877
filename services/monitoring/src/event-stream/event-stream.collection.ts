import { outsideEvent } from '@parley/contracts';
import { eventId, orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const keptForSeconds = 7 * 24 * 3_600;

/** What an organisation's programs are told, in the order of `position`, which has no holes. Kept for a week. */
export const streamRows = collection(
  'event_stream',
  { _id: eventId, orgId, position: z.number().int(), at: z.date(), event: outsideEvent },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      [{ orgId: 1, position: 1 }, { unique: true }],
      [{ at: 1 }, { expireAfterSeconds: keptForSeconds }],
    ],
  },
);
export type StreamRow = RowOf<typeof streamRows>;

/** How far each organisation's stream has come. */
export const headRows = collection(
  'event_stream_heads',
  {
    _id: orgId,
    orgId,
    position: z.number().int(),
    /** Counts writes, so that one that moves nothing conflicts, too. Absent in rows of 0.3.0. */
    writes: z.number().int().optional(),
  },
  { tenant: { organisation: 'orgId' } },
);
