import { defineRoute, patience, type OrgId } from '@parley/protocol';
import { z } from 'zod';

const typeFilter = z
  .union([z.string().max(2_000), z.array(z.string().max(100)).max(50)])
  .transform((given) => [given].flat().flatMap((part) => part.split(',')))
  .pipe(z.array(z.string().max(100)).max(50));

/**
 * What happens in the organisation, as server-sent events: each `data` is a CloudEvent 1.0 in JSON, each `id` the cursor
 * after it. Begins after `Last-Event-ID`, else after `cursor`, else now; `cursor=0` is the oldest that is kept. A cursor of
 * another organisation is refused. Every 15 s without an event there is a comment with the cursor so far.
 */
export const followEvents = defineRoute({
  service: 'monitoring',
  route: 'GET /v1/events',
  scope: 'organisation',
  permission: 'events:read',
  cost: 'read',
  query: z.strictObject({
    cursor: z.string().max(100).optional(),
    /** Several, repeated or with commas between; `group.*` is all types that begin so. */
    type: typeFilter.optional(),
    /** Not `false`: goes on with what happens. `false`: ends after what is kept. */
    follow: z.enum(['true', 'false']).optional(),
  }),
  stream: 'text/event-stream',
  patienceMs: patience.long,
  atOnce: { person: 100, organisation: 200, why: 'It is open for as long as a program follows events.' },
});

/** The header by which a reader that was cut says where it was; it wins over `cursor`. */
export const lastEventHeader = 'last-event-id';

/** Limits the readers of one monitoring process: in total and per flow. The route's `atOnce` limits them per person. */
export const mostReaders = { all: 400, ofFlow: 200 } as const;

/** The doorbell of an organisation's stream: there may be more of it. */
export const eventsBell = (organisation: OrgId): string => `events/${organisation}`;

/** AsyncAPI 3, made from the contracts; the same in every installation of this version, so anybody may read it. */
export const getAsyncApi = defineRoute({
  service: 'monitoring',
  route: 'GET /v1/asyncapi.json',
  patienceMs: patience.long,
  scope: 'public',
  cost: 'read',
  response: z.record(z.string(), z.unknown()),
});

export const streamRoutes = { followEvents, getAsyncApi };
