import type { Topic } from '@parley/protocol';
import { Schema } from 'mongoose';

export const retentionSeconds = 7 * 24 * 3600;

/** Offsets of a topic are contiguous; the unique index makes a second writer fail instead of breaking the order. */
export type LogRow = { topic: Topic; offset: number; eventId: string; envelope: string; at: Date };
export const logSchema = new Schema<LogRow>(
  {
    topic: { type: String, required: true },
    offset: { type: Number, required: true },
    eventId: { type: String, required: true },
    envelope: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { collection: 'records', versionKey: false },
)
  .index({ topic: 1, offset: 1 }, { unique: true })
  .index({ at: 1 }, { expireAfterSeconds: retentionSeconds });

/** The last offset ever given to a topic: outlives records that retention has deleted. */
export type TopicHeadRow = { _id: Topic; head: number };
export const topicHeadSchema = new Schema<TopicHeadRow>(
  { _id: { type: String, required: true }, head: { type: Number, required: true } },
  { collection: 'topic_heads', versionKey: false },
);

/** Last offset that a `work` group has dealt with; `_id` is `group|topic`. */
export type GroupOffsetRow = { _id: string; offset: number };
export const groupOffsetSchema = new Schema<GroupOffsetRow>(
  { _id: { type: String, required: true }, offset: { type: Number, required: true } },
  { collection: 'group_offsets', versionKey: false },
);
