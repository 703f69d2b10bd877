import { defineRoute, patience, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { audience } from '../../../audience.ts';
import { chatbotId, clientIdOf, connectionId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';
import { chatbotGlyph } from '../assistants/chatbots.ts';

/** The exact URL. Line breaks and spaces, which a URL would tolerate, are refused. */
const address = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^\s\p{C}]+$/u, 'has a space, a line break or an invisible character')
  .max(1_000);
const printable = z.string().regex(/^[^\p{C}]*$/u, 'has a character that nobody can see');

/** The source of a connection's documents, without its secret. */
export const connectionSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('upload') }),
  z.strictObject({
    kind: z.literal('web'),
    /** A page whose links are followed, or a `sitemap.xml` that lists the pages. */
    start: z.enum(['page', 'sitemap']),
    address,
    /** Only addresses of the same host that begin with this path are read. */
    below: printable.min(1).max(500).startsWith('/'),
    /** The greatest number of links between the start and a page. */
    depth: z.number().int().min(0).max(10),
    pages: z.number().int().min(1).max(5_000),
  }),
  z.strictObject({
    kind: z.literal('bucket'),
    /** The endpoint of an S3-compatible storage. The bucket is addressed by path. */
    endpoint: address,
    region: z.string().regex(/^[a-z0-9-]{1,40}$/i),
    bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,62}$/),
    prefix: printable.max(500),
    accessKeyId: z.string().regex(/^[\x21-\x7E]{1,128}$/),
  }),
]);
export type ConnectionSource = z.infer<typeof connectionSource>;

export const syncSchedule = z.enum(['manual', 'hourly', 'daily', 'weekly']);

/** Why a source couldn't be read. The browser translates it. */
export const sourceFailure = z.enum([
  'unreachable', // no connection, no answer in time, or an error of the server
  'not-allowed', // an address in a private network that nobody has allowed
  'refused', // the source does not let us in
  'not-found', // the start, the sitemap or the bucket is not there
  'outside', // the start leads to another host or out of the path
  'robots', // robots.txt does not let us in
  'unreadable', // what came is no page, sitemap or list
  'internal',
]);
export type SourceFailure = z.infer<typeof sourceFailure>;
/** Why a sync ended early: the source failed, or the organisation's storage quota is full. */
export const syncFailure = z.enum([...sourceFailure.options, 'over-quota']);
export type SyncFailure = z.infer<typeof syncFailure>;

const count = z.number().int();
/** The progress of a sync. `isCut`: the source has more documents than the connection can hold. */
export const syncProgress = z.strictObject({
  found: count,
  unchanged: count,
  fetched: count,
  removed: count,
  failed: count,
  isCut: z.boolean(),
});
export type SyncProgress = z.infer<typeof syncProgress>;

/**
 * `waiting`: another sync of the organisation goes first. `asking`: a person decides if it may remove
 * the missing documents.
 */
export const connectionState = z.enum(['ready', 'waiting', 'syncing', 'asking', 'paused', 'failing', 'removing']);
export type ConnectionState = z.infer<typeof connectionState>;

export const connection = z.strictObject({
  id: connectionId,
  /** Empty for the uploads connection of every organisation, until someone names it. */
  name: z.string(),
  /** True: uploads without a connection go here, and it can't be deleted. */
  isDefault: z.boolean(),
  source: connectionSource,
  audience,
  schedule: syncSchedule,
  state: connectionState,
  documents: z.strictObject({ all: count, searchable: count, failed: count }),
  /** The progress of the running sync. */
  progress: syncProgress.extend({ startedAt: timestamp }).nullable(),
  lastSync: syncProgress.extend({ at: timestamp, failure: syncFailure.nullable() }).nullable(),
  nextSyncAt: timestamp.nullable(),
  /**
   * The number of documents that are no longer in the source, `of` all. Set if they are more than a tenth, so a person
   * has to decide.
   */
  removal: z.strictObject({ count, of: count }).nullable(),
  createdAt: timestamp.nullable(),
  /** The version, which grows with each change by a person. A change names the version that the person saw. */
  version: count,
});
export type Connection = z.infer<typeof connection>;

const read = { service: 'chat', scope: 'organisation', permission: 'data_connection:read' } as const;
const manage = { service: 'chat', scope: 'organisation', permission: 'data_connection:manage' } as const;
const one = z.strictObject({ connectionId });
const name = plainName(80);
/** The secret of a bucket; missing: the stored secret stays. */
const secret = z.string().min(1).max(500).optional();

/**
 * Lists the connections that the person can read, or all for people who manage them: uploads first, then oldest first.
 */
export const listConnections = defineRoute({
  ...read,
  route: 'GET /api/chat/connections',
  cost: 'read',
  response: z.strictObject({
    items: z.array(connection),
    /** The organisation's used and available storage, in bytes. */
    storage: z.strictObject({ usedBytes: count, quotaBytes: count }).optional(),
  }),
});

/** Creates a connection and starts a sync. `org.limit-reached` if the quota `connections` is full. Idempotent by id. */
export const createConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections',
  cost: 'outbound',
  status: 201,
  body: z.strictObject({
    id: clientIdOf('connection'),
    name,
    source: connectionSource,
    secret,
    audience,
    schedule: syncSchedule,
  }),
  response: connection,
});

/**
 * Changes a connection. `platform.conflict` with the present connection if someone else changed it. The kind of source
 * stays, and another host of a bucket needs the secret again. A paused connection isn't synced, and its running sync
 * ends.
 */
export const changeConnection = defineRoute({
  ...manage,
  route: 'PATCH /api/chat/connections/:connectionId',
  cost: 'outbound',
  params: one,
  body: z
    .strictObject({ name, source: connectionSource, audience, schedule: syncSchedule, isPaused: z.boolean() })
    .partial()
    .extend({ version: count, secret }),
  response: connection,
});

/**
 * Deletes a connection. Answers stop using its documents immediately, and a job removes them. `platform.conflict` for
 * the uploads connection.
 */
export const deleteConnection = defineRoute({
  ...manage,
  route: 'DELETE /api/chat/connections/:connectionId',
  cost: 'write',
  status: 204,
  params: one,
});

/** Queues a sync. If a sync waits or runs already, that one continues. */
export const syncConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/:connectionId/sync',
  cost: 'outbound',
  params: one,
  response: connection,
});

/**
 * Decides about documents that are no longer in the source: remove them, or keep them until the next sync asks again.
 */
export const decideRemoval = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/:connectionId/removal',
  cost: 'write',
  params: one,
  body: z.strictObject({ remove: z.boolean() }),
  response: connection,
});

/** Reads all failed documents again, and fetches documents that couldn't be fetched. */
export const retryConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/:connectionId/retry',
  cost: 'outbound',
  params: one,
  response: z.strictObject({ count }),
});

/** Lists chatbots that use the connection by name, and counts those that search all connections. */
export const listConnectionUses = defineRoute({
  ...manage,
  route: 'GET /api/chat/connections/:connectionId/uses',
  cost: 'read',
  params: one,
  response: z.strictObject({
    items: z.array(z.strictObject({ id: chatbotId, name: z.string(), glyph: chatbotGlyph })),
    everywhere: count,
    passages: count,
  }),
});

/**
 * Looks at a source for at most 20 s and stores nothing: how many documents there are, and the first of them. A failing
 * source is no error of the route: the response says why. With `connectionId` the stored secret is used for the same
 * host.
 */
export const previewConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/preview',
  cost: 'outbound',
  patienceMs: patience.long,
  body: z.strictObject({ source: connectionSource, secret, connectionId: connectionId.optional() }),
  response: z.strictObject({
    failure: sourceFailure.nullable(),
    /** Quotes the source's response, shortened. */
    detail: z.string().nullable(),
    /** Number of documents; while the search isn't finished, number of found addresses. */
    found: count,
    /** Number of documents that were looked at before the time was over. */
    seen: count,
    bytes: count,
    isComplete: z.boolean(),
    skipped: count,
    sample: z.array(z.strictObject({ name: z.string(), address: z.string(), bytes: count.nullable() })).max(20),
  }),
});

export const connectionRoutes = {
  listConnections,
  createConnection,
  changeConnection,
  deleteConnection,
  syncConnection,
  decideRemoval,
  retryConnection,
  listConnectionUses,
  previewConnection,
};
