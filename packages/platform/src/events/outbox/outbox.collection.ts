import type { EventEnvelope, Topic } from '@parley/protocol';
import { z } from 'zod';
import { collection, type RowOf } from '../../rows/mongo/index.ts';

const day = 24 * 3600;

/**
 * Stores events to publish. `_id` is the event's id, `envelope` the event as text. Published rows stay a day, so that a
 * restored installation can publish them again. In the one-process edition it has only events that were recorded while
 * no service ran, until the next start.
 */
export const outboxRows = collection(
  'outbox',
  {
    _id: z.string(),
    topic: z.custom<Topic>(),
    subject: z.string(),
    sequence: z.number(),
    shard: z.number(),
    envelope: z.string(),
    recordedAt: z.date(),
    published: z.boolean(),
    publishedAt: z.date().optional(),
  },
  {
    tenant: 'platform',
    indexes: [
      [{ published: 1, subject: 1, sequence: 1 }, { partialFilterExpression: { published: false } }],
      [{ publishedAt: 1 }, { expireAfterSeconds: day }],
    ],
  },
);
export type OutboxRow = RowOf<typeof outboxRows>;

/**
 * Stores the last sequence of a subject. Counting inside the transaction makes commits of one subject wait for each
 * other.
 */
export const outboxSequenceRows = collection(
  'outbox_sequences',
  { _id: z.string(), sequence: z.number() },
  { tenant: 'platform' },
);

/** Stores which relay publishes a shard, and until when. `fence` rises with each change of owner. */
export const outboxShardRows = collection(
  'outbox_shards',
  { _id: z.number(), owner: z.string(), fence: z.number(), leaseUntil: z.date() },
  { tenant: 'platform', indexes: [{ owner: 1 }, { leaseUntil: 1 }] },
);
export type OutboxShardRow = RowOf<typeof outboxShardRows>;

export const shardCount = 16;

/** Returns the shard of an ordering key (FNV-1a). */
export function shardOf(subject: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < subject.length; index += 1)
    hash = Math.imul(hash ^ subject.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % shardCount;
}

/** Returns the row of an event to publish. */
export const outboxRow = (topic: Topic, envelope: EventEnvelope): OutboxRow => ({
  _id: envelope.id,
  topic,
  subject: envelope.subject,
  sequence: envelope.sequence,
  shard: shardOf(envelope.subject),
  envelope: JSON.stringify(envelope),
  recordedAt: new Date(envelope.time),
  published: false,
});
