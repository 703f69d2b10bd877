import { defineRoute, patience, type OrgId } from '@parley/protocol';
import { z } from 'zod';

const typeFilter = z
  .union([z.string().max(2_000), z.array(z.string().max(100)).max(50)])
  .transform((given) => [given].flat().flatMap((part) => part.split(',')))
  .pipe(z.array(z.string().max(100)).max(50));

/**
 * Streams the organisation's events as server-sent events: each `data` is a CloudEvent 1.0 in JSON, each `id` the
 * cursor after it. Starts after `Last-Event-ID`, else after `cursor`, else now; `cursor=0` is the oldest that is kept.
 * A cursor of another organisation is refused. Every 15 s without an event a comment has the present cursor.
 */
export const followEvents = defineRoute({
  service: 'monitoring',
  route: 'GET /v1/events',
  scope: 'organisation',
  permission: 'events:read',
  cost: 'read',
  query: z.strictObject({
    cursor: z.string().max(100).optional(),
    /** One or several types, repeated or separated by commas; `group.*` is all types with that beginning. */
    type: typeFilter.optional(),
    /** `false`: ends after the stored events. Otherwise it continues with new ones. */
    follow: z.enum(['true', 'false']).optional(),
  }),
  stream: 'text/event-stream',
  patienceMs: patience.long,
  atOnce: { person: 100, organisation: 200, why: 'It is open for as long as a program follows events.' },
});

/** The header with the cursor at which a reader was cut off. It takes precedence over `cursor` in the query. */
export const lastEventHeader = 'last-event-id';

/** Names the doorbell (a signal without content) of an organisation's stream. It rings when new events come. */
export const eventsBell = (organisation: OrgId): string => `events/${organisation}`;

/** Returns AsyncAPI 3, built from the contracts. Public: it is the same in every installation of this version. */
export const getAsyncApi = defineRoute({
  service: 'monitoring',
  route: 'GET /v1/asyncapi.json',
  patienceMs: patience.long,
  scope: 'public',
  cost: 'read',
  response: z.record(z.string(), z.unknown()),
});

export const streamRoutes = { followEvents, getAsyncApi };
