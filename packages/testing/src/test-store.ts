import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { readConfig } from '@parley/platform/config';
import { Mongo } from '@parley/platform/mongo';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

export type TestStore = {
  /** Connection string of a database that nobody has used. */
  freshDatabase(): string;
  /** Drops what was used; ends the store if it was started for this suite. */
  close(): Promise<void>;
};

/** A query that looks at more fails: its index narrows too little. One that no index narrows fails in any case. */
const maxExaminedDocuments = 1_000;
/** A command or transaction that writes more fails: it would hold the store for longer than others can wait. */
const maxWrittenDocuments = 1_000;
const settings = z.object({
  MONGO_URL: z.string().optional(),
  PARLEY_TEST_RUN: z
    .string()
    .regex(/^\w{1,30}$/)
    .default('parley_test'),
});

/** A document store for one suite: the one that `MONGO_URL` names, else a fresh embedded one. */
export async function startTestStore(): Promise<TestStore> {
  const { MONGO_URL: given } = readConfig(settings);
  return given === undefined ? startEmbeddedStore() : storeAt(given);
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

async function startEmbeddedStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  // Specs have a clock of their own: what has expired by that of the machine is still there.
  const keepsExpiredMs = Number.POSITIVE_INFINITY;
  const embedded = await startEmbeddedMongo({
    file: join(folder, 'test.db'),
    maxExaminedDocuments,
    maxWrittenDocuments,
    needsIndex: true,
    keepsExpiredMs,
  });
  return {
    freshDatabase: () => embedded.uri(freshName()),
    async close() {
      await embedded.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function storeAt(uri: string): TestStore {
  const used: string[] = [];
  return {
    freshDatabase() {
      const database = withDatabase(uri, freshName());
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
