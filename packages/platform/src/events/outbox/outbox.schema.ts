import type { EventEnvelope, Topic } from '@parley/protocol';
import { Schema } from 'mongoose';

const day = 24 * 3600;

/**
 * `_id` is the event's id, `envelope` the event as text. Published rows stay a day for a restored installation to tell
 * again; in the one-process edition the log has them instead.
 */
export type OutboxRow = {
  _id: string;
  topic: Topic;
  subject: string;
  sequence: number;
  shard: number;
  envelope: string;
  recordedAt: Date;
  published: boolean;
  publishedAt?: Date;
};
export const outboxSchema = new Schema<OutboxRow>(
  {
    _id: { type: String, required: true },
    topic: { type: String, required: true },
    subject: { type: String, required: true },
    sequence: { type: Number, required: true },
    shard: { type: Number, required: true },
    envelope: { type: String, required: true },
    recordedAt: { type: Date },
    published: { type: Boolean, required: true },
    publishedAt: { type: Date },
  },
  { collection: 'outbox', versionKey: false },
)
  .index({ published: 1, subject: 1, sequence: 1 }, { partialFilterExpression: { published: false } })
  .index({ publishedAt: 1 }, { expireAfterSeconds: day });

/**
 * Last sequence given to a subject. Counting inside the transaction makes commits of one subject wait for each other.
 */
export type OutboxSequenceRow = { _id: string; sequence: number };
export const outboxSequenceSchema = new Schema<OutboxSequenceRow>(
  { _id: { type: String, required: true }, sequence: { type: Number, required: true } },
  { collection: 'outbox_sequences', versionKey: false },
);

/** Who may publish a shard until when. `fence` rises with each change of owner. */
export type OutboxShardRow = { _id: number; owner: string; fence: number; leaseUntil: Date };
export const outboxShardSchema = new Schema<OutboxShardRow>(
  {
    _id: { type: Number, required: true },
    owner: { type: String, required: true },
    fence: { type: Number, required: true },
    leaseUntil: { type: Date, required: true },
  },
  { collection: 'outbox_shards', versionKey: false },
)
  .index({ owner: 1 })
  .index({ leaseUntil: 1 });

export const shardCount = 16;

/** The shard of an ordering key (FNV-1a). */
export function shardOf(subject: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < subject.length; index += 1)
    hash = Math.imul(hash ^ subject.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % shardCount;
}

/** An event that waits to be published. */
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
