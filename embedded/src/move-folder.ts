import type { EmbeddedMongo } from '@parley/embedded-mongo';
import type { Blobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { repeatLoggedEvents, repeatRecentEvents } from '@parley/platform/event-bus';
import { Mongo } from '@parley/platform/mongo';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { StartRefused, type DataFolder } from './data-folder.ts';
import { markCollection, MoveMark, type MovedPart } from './move-mark.ts';
import { openStoppedStore } from './open-stopped-store.ts';

/** Where a data folder goes: databases that hold no document, and a store of uploads. */
export type MoveDestination = { mongoUri(database: string): string; readonly blobs: Blobs };

type Connection = Mongo['connection'];
const databases = ['parley_auth', 'parley_org', 'parley_chat', 'parley_billing', 'parley_monitoring'] as const;
/** The destination has its own. */
const ofTheDestination: ReadonlySet<string> = new Set([
  'schema_state',
  'schema_lease',
  'outbox_shards',
  markCollection,
]);
const batchSize = 500;
/** More than any import: `PARLEY_IMPORT_MAX` is at most a hundred gigabytes. */
const largestBlob = 200_000_000_000;

/**
 * Copies a data folder, with Parley stopped, into the stores of a distributed installation, and proves each part by
 * count and checksum. Events of the last day are published again there, for a consumer may not have seen them; inboxes
 * know the others. The folder stays as it is. The destination has no indexes afterwards: one that expires would delete
 * while counts are compared. Throws `StartRefused` when the storage takes no uploads or the destination holds anything,
 * before it changes it, and an error when a part has not arrived whole. Run again after a failure it throws away what it
 * had begun and begins anew, or, where all had arrived, only looks whether the folder is still the same. `endMove` ends
 * it.
 */
export async function moveFolder(folder: DataFolder, destination: MoveDestination): Promise<MovedPart[]> {
  await tryStorage(destination.blobs);
  const store = await openStoppedStore(folder.path);
  const mark = await MoveMark.open(destination.mongoUri(databases[0]), folder).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  try {
    const begun = await mark.read();
    if (begun?.parts) return await sameAsThen(begun.parts, store, folder);
    for (const database of databases)
      await withMongo(destination.mongoUri(database), begun ? refuseWhereAtWork : refuseUnlessEmpty);
    for (const database of databases) await withMongo(destination.mongoUri(database), clear);
    await mark.begin();
    const moved: MovedPart[] = [];
    for (const database of databases) moved.push(...(await moveDatabase(store, destination, database)));
    moved.push(await moveBlobs(folder.blobs, destination.blobs));
    await mark.arrived(moved);
    return moved;
  } finally {
    await mark.close();
    await store.close();
  }
}

/** Takes the mark of the move away: all that belongs to it, schema and keys, is there. */
export async function endMove(folder: DataFolder, destination: MoveDestination): Promise<void> {
  const mark = await MoveMark.open(destination.mongoUri(databases[0]), folder);
  await mark.remove().finally(() => mark.close());
}

/** Writes, reads and deletes a probe: whoever cannot do that would learn it after all documents have been copied. */
async function tryStorage(blobs: Blobs): Promise<void> {
  const key = `probes/${newId('event')}`;
  const text = 'Can uploads be kept here?';
  try {
    await blobs.put(key, Readable.from([Buffer.from(text)]), { maxBytes: text.length });
    const [kept, sent] = [await digestOfBytes(await blobs.get(key)), await digestOfBytes(Readable.from([text]))];
    await blobs.delete(key);
    if (kept !== sent) throw new Error('what was read is not what was written');
  } catch (cause) {
    throw new StartRefused(
      `The storage of uploads cannot be used (${(cause as Error).message}): nothing was moved. Look at PARLEY_S3_… or PARLEY_BLOBS_FOLDER.`,
      { cause },
    );
  }
}

/** All had arrived already. What has been said in the folder since would be missing. */
async function sameAsThen(parts: readonly MovedPart[], store: EmbeddedMongo, folder: DataFolder): Promise<MovedPart[]> {
  const now: MovedPart[] = [];
  for (const database of databases)
    await withMongo(store.uri(database), async ({ connection: from }) => {
      for (const name of await collectionsOf(from))
        now.push({ name: `${from.name}.${name}`, ...(await digestOf(from, name)) });
    });
  now.push(await digestOfBlobs(folder.blobs, digestOfFile));
  const textOf = (each: readonly MovedPart[]): string =>
    JSON.stringify(each.map(({ name, count, checksum }) => [name, count, checksum]));
  if (textOf(now) !== textOf(parts))
    throw new StartRefused(
      'The folder has arrived whole, but Parley has run on it since: drop the parley_* databases of the destination and move it again.',
    );
  return now;
}

async function moveDatabase(
  store: EmbeddedMongo,
  destination: MoveDestination,
  database: string,
): Promise<MovedPart[]> {
  return withMongo(store.uri(database), (source) =>
    withMongo(store.uri('parley_events'), (log) =>
      withMongo(destination.mongoUri(database), async (target) => {
        const moved: MovedPart[] = [];
        for (const name of await collectionsOf(source.connection))
          moved.push(await moveCollection(source.connection, target.connection, name));
        await repeatRecentEvents(target);
        await repeatLoggedEvents(log, target);
        return moved;
      }),
    ),
  );
}

async function withMongo<Result>(uri: string, act: (mongo: Mongo) => Promise<Result>): Promise<Result> {
  const mongo = await Mongo.connect(uri);
  try {
    return await act(mongo);
  } finally {
    await mongo.close();
  }
}

/** What is moved, in the order of names. */
async function collectionsOf(connection: Connection): Promise<string[]> {
  const names = (await connection.listCollections()).map(({ name }) => name);
  return names.filter((name) => !ofTheDestination.has(name)).toSorted();
}

/** Takes away what a schema migration has made, its note included, or an earlier run of the same move. */
async function clear({ connection: to }: Mongo): Promise<void> {
  for (const { name } of await to.listCollections()) if (name !== markCollection) await to.dropCollection(name);
}

async function refuseUnlessEmpty({ connection: to }: Mongo): Promise<void> {
  for (const name of await collectionsOf(to))
    if ((await to.collection(name).findOne({})) !== null)
      throw new StartRefused(`${to.name}.${name} of the destination is not empty: move into a fresh installation.`);
}

/** A move makes the schema last: where one is, processes may have served, and people written, on half of the documents. */
async function refuseWhereAtWork({ connection: to }: Mongo): Promise<void> {
  if ((await to.collection('schema_state').findOne({})) !== null)
    throw new StartRefused(
      `A move into ${to.name} was begun, and its schema was made since: drop the parley_* databases and move again.`,
    );
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
      `${name}: ${left.count} documents left, ${arrived.count} arrived, or not the same. Nothing in the folder was changed; run it again.`,
    );
  return { name: `${from.name}.${name}`, ...arrived };
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

async function moveBlobs(root: string, blobs: Blobs): Promise<MovedPart> {
  return digestOfBlobs(root, async (file, key) => {
    await blobs.put(key, createReadStream(file), { maxBytes: largestBlob });
    const digest = await digestOfFile(file);
    if ((await digestOfBytes(await blobs.get(key))) !== digest)
      throw new Error(`The upload ${key} has not arrived whole. Nothing in the folder was changed; run it again.`);
    return digest;
  });
}

const digestOfFile = (file: string): Promise<string | null> => digestOfBytes(createReadStream(file));

async function digestOfBlobs(
  root: string,
  digestOf: (file: string, key: string) => Promise<string | null>,
): Promise<MovedPart> {
  const keys = filesOf(root).toSorted();
  const all = createHash('sha256');
  let bytes = 0;
  for (const key of keys) {
    const file = join(root, ...key.split('/'));
    all.update(`${key} ${await digestOf(file, key)}\n`);
    bytes += statSync(file).size;
  }
  return { name: `uploads (${keys.length}), bytes`, count: bytes, checksum: all.digest('hex') };
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
