import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { readConfig } from '@parley/platform/config';
import { Mongo } from '@parley/platform/mongo';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { z } from 'zod';

export type TestStore = {
  /** Connection string of a database that nobody has used. */
  freshDatabase(): string;
  /** The embedded store's own way in, for `Mongo.connect`; none on a server. */
  readonly link?: EmbeddedMongo['link'];
  /** Drops what was used; ends the store if it was started for this suite only. */
  close(): Promise<void>;
};

/** A query that looks at more fails: its index narrows too little. One that no index narrows fails in any case. */
const mostExamined = 1_000;
/** A command or transaction that writes more fails: it would hold the store for longer than others can wait. */
const maxWrittenDocuments = 1_000;
const settings = z.object({
  MONGO_URL: z.string().optional(),
  PARLEY_TEST_RUN: z
    .string()
    .regex(/^\w{1,30}$/)
    .default('parley_test'),
});

/** Says whether suites keep their documents on a server, to which the driver sends each command by itself. */
export const isOnServer = (): boolean => readConfig(settings).MONGO_URL !== undefined;

/** A document store for one suite: the one that `MONGO_URL` names, else an embedded one. */
export async function startTestStore(): Promise<TestStore> {
  const { MONGO_URL: given } = readConfig(settings);
  if (given !== undefined) return storeAt(given);
  return kept ? keptStore(kept, mostExamined) : startEmbeddedStore(mostExamined);
}

/**
 * The databases of one data folder, with the same content whenever the same file is opened: in that file, or on the
 * server that
 * `MONGO_URL` names. There they stay; `npm run test:mongo` drops them at its end.
 */
export async function openTestStore(file: string, maxExamined: number): Promise<EmbeddedMongo> {
  const { MONGO_URL: given, PARLEY_TEST_RUN: run } = readConfig(settings);
  if (given === undefined)
    return startEmbeddedMongo({ file, maxExaminedDocuments: maxExamined, maxWrittenDocuments, needsIndex: true });
  const own = `${run}_${createHash('sha256').update(file).digest('hex').slice(0, 12)}`;
  return { uri: (database) => withDatabase(given, `${own}_${database}`), close: async () => undefined };
}

async function startEmbeddedStore(
  maxExaminedDocuments: number,
  onThread?: (thread: Worker) => void,
): Promise<TestStore & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  // Specs have a clock of their own: what has expired by that of the machine is still there.
  const keepsExpiredMs = Number.POSITIVE_INFINITY;
  if (onThread) process.once('worker', onThread);
  const embedded = await startEmbeddedMongo({
    file: join(folder, 'test.db'),
    maxExaminedDocuments,
    maxWrittenDocuments,
    needsIndex: true,
    keepsExpiredMs,
  });
  return {
    folder,
    link: embedded.link,
    freshDatabase: () => embedded.uri(freshName()),
    async close() {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

type Kept = {
  readonly stores: Map<number, Promise<TestStore>>;
  readonly ends: (() => Promise<void>)[];
  /** What is left where a worker is ended by force. */
  readonly folders: string[];
};
/** What the native test runner keeps from file to file (ADR 0040); nothing elsewhere. */
const kept = (globalThis as Record<symbol, unknown>)[Symbol.for('parley.kept')] as Kept | undefined;

/** One store for all files of a worker: to start one takes as long as most specs. */
async function keptStore({ stores, ends, folders }: Kept, maxExamined: number): Promise<TestStore> {
  const start = async (): Promise<TestStore> => {
    let thread: Worker | undefined;
    const { folder, ...store } = await startEmbeddedStore(maxExamined, (started) => (thread = started));
    thread?.once('exit', () => stores.delete(maxExamined));
    // It doesn't keep the test runner from ending, which then ends it.
    thread?.unref();
    ends.push(() => store.close());
    folders.push(folder, socketFolderOf(store.freshDatabase()));
    return store;
  };
  const starting = stores.get(maxExamined) ?? start();
  stores.set(maxExamined, starting);
  const { freshDatabase, link } = await starting;
  return { ...dropping(freshDatabase), link };
}

const socketFolderOf = (uri: string): string => dirname(decodeURIComponent(new URL(uri).host));

/** As `openTestStore`, for a data folder that is opened only once. */
export async function openTestStoreOnce(file: string, maxExamined: number): Promise<EmbeddedMongo> {
  if (!kept || readConfig(settings).MONGO_URL !== undefined) return openTestStore(file, maxExamined);
  const store = await keptStore(kept, maxExamined);
  const uris = new Map<string, string>();
  return {
    link: store.link,
    uri(database) {
      const uri = uris.get(database) ?? store.freshDatabase();
      uris.set(database, uri);
      return uri;
    },
    close: () => store.close(),
  };
}

const storeAt = (uri: string): TestStore => dropping(() => withDatabase(uri, freshName()));

/** A store that others use, too. */
function dropping(freshDatabase: () => string): TestStore {
  const used: string[] = [];
  return {
    freshDatabase() {
      const database = freshDatabase();
      used.push(database);
      return database;
    },
    async close() {
      for (const database of used) await drop(database);
    },
  };
}

const freshName = (): string => `${readConfig(settings).PARLEY_TEST_RUN}_${randomUUID().replaceAll('-', '')}`;

async function drop(uri: string): Promise<void> {
  const mongo = await Mongo.connect(uri);
  await mongo.connection.dropDatabase();
  await mongo.close();
}

/** The connection string with another database name; a user is still looked for where it was. */
export function withDatabase(uri: string, database: string): string {
  const [, servers, home = '', query = ''] = /^(mongodb:\/\/[^/?]+)(?:\/([^?]*))?(\?.*)?$/.exec(uri) ?? [];
  if (servers === undefined) throw new Error('Not a mongodb:// connection string.');
  const needsHome = servers.includes('@') && !query.includes('authSource=');
  return `${servers}/${database}${query}${needsHome ? `${query === '' ? '?' : '&'}authSource=${home || 'admin'}` : ''}`;
}
