import type { EmbeddedMongo } from '@parley/embedded-mongo';
import type { Blobs } from '@parley/platform/blobs';
import { repeatLoggedEvents, repeatRecentEvents } from '@parley/platform/event-bus';
import { Mongo } from '@parley/platform/mongo';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { StartRefused, type DataFolder } from './data-folder.ts';
import { openStoppedStore } from './open-stopped-store.ts';

/** Where a data folder goes: databases that hold no document, and a store of uploads. */
export type MoveDestination = { mongoUri(database: string): string; readonly blobs: Blobs };
/**
 * What has arrived: as many documents or bytes as had left, with the same SHA-256 over all of them in the order of
 * their ids.
 */
export type MovedPart = { readonly name: string; readonly count: number; readonly checksum: string };

type Connection = Mongo['connection'];
const databases = ['parley_auth', 'parley_org', 'parley_chat', 'parley_billing', 'parley_monitoring'] as const;
/** The destination has its own. */
const ofTheDestination: ReadonlySet<string> = new Set(['schema_state', 'schema_lease', 'outbox_shards']);
const batchSize = 500;
const largestBlob = 1_000_000_000;

/**
 * Copies a data folder, with Parley stopped, into the stores of a distributed installation, and proves each part by
 * count and checksum. Events of the last day are published again there, for a consumer may not have seen them; inboxes
 * know the others. The folder stays as it is. The destination has no indexes afterwards: one that expires would delete
 * while counts are compared. Throws `StartRefused` when the destination holds anything, before it changes it, and an
 * error when a part has not arrived whole.
 */
export async function moveFolder(folder: DataFolder, destination: MoveDestination): Promise<MovedPart[]> {
  const store = await openStoppedStore(folder.path);
  const moved: MovedPart[] = [];
  try {
    for (const database of databases) await clear(destination.mongoUri(database));
    for (const database of databases) moved.push(...(await moveDatabase(store, destination, database)));
  } finally {
    await store.close();
  }
  return [...moved, ...(await moveBlobs(folder.blobs, destination.blobs))];
}

async function moveDatabase(
  store: EmbeddedMongo,
  destination: MoveDestination,
  database: string,
): Promise<MovedPart[]> {
  const [source, log, target] = await Promise.all([
    Mongo.connect(store.uri(database)),
    Mongo.connect(store.uri('parley_events')),
    Mongo.connect(destination.mongoUri(database)),
  ]);
  const [from, to] = [source.connection, target.connection];
  try {
    const names = (await from.listCollections())
      .map(({ name }) => name)
      .filter((name) => !ofTheDestination.has(name))
      .toSorted();
    const moved: MovedPart[] = [];
    for (const name of names) moved.push(await moveCollection(from, to, name));
    await repeatRecentEvents(target);
    await repeatLoggedEvents(log, target);
    return moved;
  } finally {
    await Promise.all([source.close(), log.close(), target.close()]);
  }
}

/** Takes away what a schema migration has made, its note included. */
async function clear(uri: string): Promise<void> {
  const target = await Mongo.connect(uri);
  const { connection } = target;
  try {
    const names = (await connection.listCollections()).map(({ name }) => name);
    for (const name of names) if (!ofTheDestination.has(name)) await refuseUnlessEmpty(connection, name);
    for (const name of names) await connection.dropCollection(name);
  } finally {
    await target.close();
  }
}

async function refuseUnlessEmpty(to: Connection, name: string): Promise<void> {
  if ((await to.collection(name).findOne({})) === null) return;
  throw new StartRefused(`${to.name}.${name} of the destination is not empty: move into a fresh installation.`);
}

async function moveCollection(from: Connection, to: Connection, name: string): Promise<MovedPart> {
  // Types as they are stored: what JavaScript makes of a long or a date must not decide what is written.
  const cursor = from.collection(name).find({}, { promoteValues: false, batchSize });
  let batch: Record<string, unknown>[] = [];
  for await (const document of cursor) {
    batch.push(document);
    if (batch.length === batchSize) batch = await insert(to, name, batch);
  }
  await insert(to, name, batch);
  const [left, arrived] = [await digestOf(from, name), await digestOf(to, name)];
  if (left.count !== arrived.count || left.checksum !== arrived.checksum)
    throw new Error(
      `${name}: ${left.count} documents left, ${arrived.count} arrived, or not the same. Nothing in the folder was changed; empty the destination and try again.`,
    );
  return { name: `${to.name}.${name}`, ...arrived };
}

async function insert(to: Connection, name: string, batch: Record<string, unknown>[]): Promise<[]> {
  if (batch.length > 0) await to.collection(name).insertMany(batch as never[]);
  return [];
}

async function digestOf(connection: Connection, name: string): Promise<{ count: number; checksum: string }> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const document of connection.collection(name).find({}, { raw: true, batchSize }).sort({ _id: 1 })) {
    hash.update(document as unknown as Buffer);
    count += 1;
  }
  return { count, checksum: hash.digest('hex') };
}

async function moveBlobs(root: string, blobs: Blobs): Promise<MovedPart[]> {
  const keys = filesOf(root).toSorted();
  const all = createHash('sha256');
  let bytes = 0;
  for (const key of keys) {
    const file = join(root, ...key.split('/'));
    bytes += await blobs.put(key, createReadStream(file), { maxBytes: largestBlob });
    const digest = await digestOfBytes(createReadStream(file));
    if ((await digestOfBytes(await blobs.get(key))) !== digest)
      throw new Error(
        `The upload ${key} has not arrived whole. Nothing in the folder was changed; empty the destination and try again.`,
      );
    all.update(`${key} ${digest}\n`);
  }
  return [{ name: `uploads (${keys.length}), bytes`, count: bytes, checksum: all.digest('hex') }];
}

async function digestOfBytes(content: Readable | null): Promise<string | null> {
  if (content === null) return null;
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Keys of finished uploads; what a crash left half-written has a name that no key has. */
function filesOf(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((key) => !key.startsWith('.'));
}
