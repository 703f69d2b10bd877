import type { Topic } from '@parley/protocol';
import { Schema } from 'mongoose';

const day = 24 * 3600;
const id = { type: String, required: true } as const;
const text = { type: String, required: true } as const;
const count = { type: Number, required: true } as const;
const date = { type: Date, default: null } as const;

/**
 * `_id` is the id of the event, `consumers` are those that have handled it. Kept longer than any topic, and without a
 * time for ever: an event with an identity can be republished whenever somebody asks for it. In rows of 0.3.0, `_id` is
 * `consumer|eventId` and `consumers` is missing.
 */
export type InboxRow = { _id: string; consumers?: string[]; at?: Date };
export const inboxSchema = new Schema<InboxRow>(
  { _id: id, consumers: { type: [String], default: undefined }, at: { type: Date } },
  { collection: 'event_inbox', versionKey: false },
).index({ at: 1 }, { expireAfterSeconds: 14 * day });

/**
 * Last offset that a projection has folded; `_id` is `consumer|topic|partition`. Offsets are decimal integers as text.
 */
export type ProjectionOffsetRow = { _id: string; offset: string };
export const projectionOffsetSchema = new Schema<ProjectionOffsetRow>(
  { _id: id, offset: text },
  { collection: 'projection_offsets', versionKey: false },
);

/** Where an event stood in the log, and the event as text. `tenant` is null where it belongs to no organisation. */
export type LoggedEvent = {
  eventId: string;
  tenant: string | null;
  type: string;
  subject: string;
  topic: Topic;
  partition: number;
  offset: string;
  envelope: string;
};
const loggedEvent = {
  eventId: text,
  tenant: { type: String, default: null },
  type: text,
  subject: text,
  topic: { type: String, required: true },
  partition: count,
  offset: text,
  envelope: text,
} as const;

/**
 * A key that one consumer could not get past. Its events wait in `parked_events` in order. `retrying` until the retries
 * are used up, then `stopped` until somebody replays it. `appended` counts the events ever parked: who frees the key
 * compares it.
 */
export type ParkedKeyRow = {
  _id: string;
  consumer: string;
  /** Of its first event. */
  tenant: string | null;
  state: 'retrying' | 'stopped';
  attempts: number;
  appended: number;
  nextAttemptAt: Date;
  leaseUntil: Date;
};
export const parkedKeySchema = new Schema<ParkedKeyRow>(
  {
    _id: id,
    consumer: text,
    tenant: { type: String, default: null },
    state: text,
    attempts: count,
    appended: count,
    nextAttemptAt: { type: Date, required: true },
    leaseUntil: { type: Date, required: true },
  },
  { collection: 'parked_keys', versionKey: false },
).index({ state: 1, nextAttemptAt: 1 });

/** `_id` is `consumer|eventId`. */
export type ParkedEventRow = LoggedEvent & { _id: string; key: string; ordinal: number };
export const parkedEventSchema = new Schema<ParkedEventRow>(
  { _id: id, key: text, ordinal: count, ...loggedEvent },
  { collection: 'parked_events', versionKey: false },
).index({ key: 1, ordinal: 1 }, { unique: true });

/**
 * `failed`: retries used up, the key is parked. `rejected`: refused by the handler or the schema. `malformed`: no
 * envelope.
 */
export type DeadLetterReason = 'failed' | 'rejected' | 'malformed';
export type DeadLetterRow = LoggedEvent & {
  _id: string;
  consumer: string;
  /** Of `parked_keys`, when the key is parked. */
  key: string | null;
  reason: DeadLetterReason;
  cause: { name: string; code: string | null; message: string; stack: string | null };
  attempts: number;
  at: Date;
  replayedAt: Date | null;
};
export const deadLetterSchema = new Schema<DeadLetterRow>(
  {
    _id: id,
    consumer: text,
    key: { type: String, default: null },
    reason: text,
    cause: {
      name: text,
      code: { type: String, default: null },
      message: { type: String, default: '' },
      stack: { type: String, default: null },
    },
    attempts: count,
    at: { type: Date, required: true },
    replayedAt: date,
    ...loggedEvent,
    eventId: { type: String, default: '' },
    type: { type: String, default: '' },
    subject: { type: String, default: '' },
  },
  { collection: 'dead_letters', versionKey: false },
).index({ replayedAt: 1, at: -1 });
