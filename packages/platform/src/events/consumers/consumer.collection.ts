import type { Topic } from '@parley/protocol';
import { z } from 'zod';
import { collection, type RowOf } from '../../rows/mongo/index.ts';

const day = 24 * 3600;

/**
 * Stores which consumers have handled an event, for longer than any topic keeps the event. Rows without `at` never
 * expire, because an event with an identity can be republished at any time.
 */
export const inboxRows = collection(
  'event_inbox',
  {
    /** The id of the event; in rows of 0.3.0 `consumer|eventId`. */
    _id: z.string(),
    /** The consumers that have handled the event; missing in rows of 0.3.0. */
    consumers: z.array(z.string()).optional(),
    /** Missing, never null, in a row that is kept for ever. */
    at: z.date().optional(),
  },
  { tenant: 'platform', indexes: [[{ at: 1 }, { expireAfterSeconds: 14 * day }]] },
);
export type InboxRow = RowOf<typeof inboxRows>;

/** Stores an event as text, with its position in the log. `tenant` is null if it belongs to no organisation. */
const loggedEvent = z.strictObject({
  eventId: z.string(),
  tenant: z.string().nullable(),
  type: z.string(),
  subject: z.string(),
  topic: z.custom<Topic>((topic) => typeof topic === 'string'),
  partition: z.number().int(),
  offset: z.string(),
  envelope: z.string(),
});
export type LoggedEvent = z.output<typeof loggedEvent>;

/**
 * Stores a parked key: an ordering key with an event that one consumer couldn't handle. This event and the key's later
 * ones wait in order in `parked_events`. The state is `retrying` until all retries have failed, then `stopped` until
 * someone replays the event.
 */
export const parkedKeyRows = collection(
  'parked_keys',
  {
    /** `consumer|subject`. */
    _id: z.string(),
    consumer: z.string(),
    /** The organisation of the first event parked under this key. */
    tenant: z.string().nullable(),
    state: z.enum(['retrying', 'stopped']),
    attempts: z.number().int(),
    /** Counts appended events. The count is compared when the key is freed, to notice an event appended meanwhile. */
    appended: z.number().int(),
    nextAttemptAt: z.date(),
    leaseUntil: z.date(),
  },
  { tenant: 'platform', indexes: [{ state: 1, nextAttemptAt: 1 }] },
);
export type ParkedKeyRow = RowOf<typeof parkedKeyRows>;

export const parkedEventRows = collection(
  'parked_events',
  {
    /** `consumer|eventId`. */
    _id: z.string(),
    key: z.string(),
    ordinal: z.number().int(),
    ...loggedEvent.shape,
  },
  { tenant: 'platform', indexes: [[{ key: 1, ordinal: 1 }, { unique: true }]] },
);
export type ParkedEventRow = RowOf<typeof parkedEventRows>;

export const deadLetterRows = collection(
  'dead_letters',
  {
    /** `consumer|eventId`; for a malformed record `group|topic|partition|offset`. */
    _id: z.string(),
    consumer: z.string(),
    /** The id of the event's parked key in `parked_keys`; null if the event parked no key. */
    key: z.string().nullable(),
    /**
     * `failed`: all retries failed, and the key is parked. `rejected`: refused by the handler or the schema.
     * `malformed`: no envelope.
     */
    reason: z.enum(['failed', 'rejected', 'malformed']),
    cause: z.strictObject({
      name: z.string(),
      code: z.string().nullable(),
      message: z.string(),
      stack: z.string().nullable(),
    }),
    attempts: z.number().int(),
    at: z.date(),
    replayedAt: z.date().nullable(),
    ...loggedEvent.shape,
  },
  { tenant: 'platform', indexes: [{ replayedAt: 1, at: -1 }] },
);
export type DeadLetterRow = RowOf<typeof deadLetterRows>;
