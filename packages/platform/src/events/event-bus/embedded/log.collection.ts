import type { Topic } from '@parley/protocol';
import { z } from 'zod';
import { collection, jobScope, type RowOf } from '../../../rows/mongo/index.ts';

export const retentionSeconds = 7 * 24 * 3600;

/**
 * Stores the log. Offsets of a topic ascend; those of an aborted transaction are left out. The unique index makes a
 * second writer fail before it breaks the order. `_id` is `topic|offset`, an ObjectId in rows of 0.3.0.
 */
export const logRows = collection(
  'records',
  {
    _id: z.string(),
    topic: z.custom<Topic>(),
    offset: z.number(),
    eventId: z.string(),
    envelope: z.string(),
    at: z.date(),
  },
  {
    tenant: 'platform',
    indexes: [
      [{ topic: 1, offset: 1 }, { unique: true }],
      [{ at: 1 }, { expireAfterSeconds: retentionSeconds }],
    ],
  },
);
export type LogRow = RowOf<typeof logRows>;

/** Stores the offset of a topic's newest record ever, also after retention deleted it. */
export const topicHeadRows = collection(
  'topic_heads',
  { _id: z.custom<Topic>(), head: z.number() },
  { tenant: 'platform' },
);
export type TopicHeadRow = RowOf<typeof topicHeadRows>;

/** Stores the last offset that a `work` group has handled; `_id` is `group|topic`. */
export const groupOffsetRows = collection(
  'group_offsets',
  { _id: z.string(), offset: z.number() },
  { tenant: 'platform' },
);

/** Reads and writes the log for all tenants. */
export const logScope = jobScope('keeps the log of events');
