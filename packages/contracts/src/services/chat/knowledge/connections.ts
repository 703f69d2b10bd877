import { defineRoute, patience, timestamp } from '@parley/protocol';
import { z } from 'zod';
import { audience } from '../../../audience.ts';
import { chatbotId, clientIdOf, connectionId } from '../../../ids.ts';
import { plainName } from '../../../plain-text.ts';
import { chatbotGlyph } from '../assistants/chatbots.ts';

/** As it is called later: a URL forgives line breaks and spaces, which are refused here. */
const address = z
  .url({ protocol: /^https?$/ })
  .regex(/^[^\s\p{C}]+$/u, 'has a space, a line break or an invisible character')
  .max(1_000);
const printable = z.string().regex(/^[^\p{C}]*$/u, 'has a character that nobody can see');

/** Where the documents of a connection come from. A secret is never part of it. */
export const connectionSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('upload') }),
  z.strictObject({
    kind: z.literal('web'),
    /** A page whose links are followed, or a `sitemap.xml` that lists the pages. */
    start: z.enum(['page', 'sitemap']),
    address,
    /** Only addresses of the same host that begin with this path are read. */
    below: printable.min(1).max(500).startsWith('/'),
    /** So many links away from the start. */
    depth: z.number().int().min(0).max(10),
    pages: z.number().int().min(1).max(5_000),
  }),
  z.strictObject({
    kind: z.literal('bucket'),
    /** Of any S3-compatible storage; the bucket is addressed by path. */
    endpoint: address,
    region: z.string().regex(/^[a-z0-9-]{1,40}$/i),
    bucket: z.string().regex(/^[a-z0-9][a-z0-9.-]{1,62}$/),
    prefix: printable.max(500),
    accessKeyId: z.string().regex(/^[\x21-\x7E]{1,128}$/),
  }),
]);
export type ConnectionSource = z.infer<typeof connectionSource>;

export const syncSchedule = z.enum(['manual', 'hourly', 'daily', 'weekly']);

/** Why a source could not be read; the browser words it. */
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
/** Why a sync ended early: the source, or the organisation's storage quota. */
export const syncFailure = z.enum([...sourceFailure.options, 'over-quota']);
export type SyncFailure = z.infer<typeof syncFailure>;

const count = z.number().int();
/** What a sync has done so far. `isCut`: there is more than the connection may hold. */
export const syncProgress = z.strictObject({
  found: count,
  unchanged: count,
  fetched: count,
  removed: count,
  failed: count,
  isCut: z.boolean(),
});
export type SyncProgress = z.infer<typeof syncProgress>;

/** `waiting`: another sync of the organisation goes first. `asking`: a person has to say whether so much may go. */
export const connectionState = z.enum(['ready', 'waiting', 'syncing', 'asking', 'paused', 'failing', 'removing']);
export type ConnectionState = z.infer<typeof connectionState>;

export const connection = z.strictObject({
  id: connectionId,
  /** Empty is that for uploads with which every organisation begins, while nobody has named it. */
  name: z.string(),
  /** Uploads go there that name no other one; it cannot be deleted. */
  isDefault: z.boolean(),
  source: connectionSource,
  audience,
  schedule: syncSchedule,
  state: connectionState,
  documents: z.strictObject({ all: count, searchable: count, failed: count }),
  /** Of the sync that runs. */
  progress: syncProgress.extend({ startedAt: timestamp }).nullable(),
  lastSync: syncProgress.extend({ at: timestamp, failure: syncFailure.nullable() }).nullable(),
  nextSyncAt: timestamp.nullable(),
  /** So many of so many documents are not in the source any more: more than a tenth, so that somebody has to say so. */
  removal: z.strictObject({ count, of: count }).nullable(),
  createdAt: timestamp.nullable(),
  /** Grows with each change by a person: changes name the one that was seen. */
  version: count,
});
export type Connection = z.infer<typeof connection>;

const read = { service: 'chat', scope: 'organisation', permission: 'data_connection:read' } as const;
const manage = { service: 'chat', scope: 'organisation', permission: 'data_connection:manage' } as const;
const one = z.strictObject({ connectionId });
const name = plainName(80);
/** Of a bucket; absent keeps the one that is kept. */
const secret = z.string().min(1).max(500).optional();

/** Those that I may read, and all for whoever manages them; that for uploads first, then the oldest first. */
export const listConnections = defineRoute({
  ...read,
  route: 'GET /api/chat/connections',
  cost: 'read',
  response: z.strictObject({
    items: z.array(connection),
    /** What the organisation stores, and may store, in bytes. */
    storage: z.strictObject({ usedBytes: count, quotaBytes: count }).optional(),
  }),
});

/** Begins with a sync. When the quota `connections` is full: `org.limit-reached`. Repeating it with the same id returns what is there. */
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
 * `platform.conflict` with the current one where somebody else has changed it since. The kind of source stays; another
 * host of a bucket needs the secret again. A paused one is not synced; what runs ends.
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

/** Its documents are out of answers at once, and removed in the background. That for uploads stays: `platform.conflict`. */
export const deleteConnection = defineRoute({
  ...manage,
  route: 'DELETE /api/chat/connections/:connectionId',
  cost: 'write',
  status: 204,
  params: one,
});

/** Soon, or after what runs. One that waits or runs goes on. */
export const syncConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/:connectionId/sync',
  cost: 'outbound',
  params: one,
  response: connection,
});

/** What is not in the source any more: it goes, or stays until the next sync asks again. */
export const decideRemoval = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/:connectionId/removal',
  cost: 'write',
  params: one,
  body: z.strictObject({ remove: z.boolean() }),
  response: connection,
});

/** All documents that failed: read again, and fetched again where that failed. */
export const retryConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/:connectionId/retry',
  cost: 'outbound',
  params: one,
  response: z.strictObject({ count }),
});

/** What would be answered from it no more: chatbots that name it; all others that look everywhere are counted. */
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
 * A dry run of at most 20 s, which stores nothing: how much is there, and the first of it. Never throws for a source
 * that fails: it says why. With `connectionId` the secret that is kept is used for the same host.
 */
export const previewConnection = defineRoute({
  ...manage,
  route: 'POST /api/chat/connections/preview',
  cost: 'outbound',
  patienceMs: patience.long,
  body: z.strictObject({ source: connectionSource, secret, connectionId: connectionId.optional() }),
  response: z.strictObject({
    failure: sourceFailure.nullable(),
    /** What the source said, shortened. */
    detail: z.string().nullable(),
    /** Documents that would come; while there is more to look at, addresses that were found. */
    found: count,
    /** So many were looked at until the time was over. */
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
