import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { readConfig } from '@parley/platform/config';
import { Mongo } from '@parley/platform/mongo';
import { randomUUID } from 'node:crypto';
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

/** A query that looks at more fails: it lacks an index. */
const maxExaminedDocuments = 1_000;
const settings = z.object({ PARLEY_TEST_MONGO_URL: z.string().optional() });

/** A document store for one suite: the one that `PARLEY_TEST_MONGO_URL` names, else a fresh embedded one. */
export async function startTestStore(): Promise<TestStore> {
  const { PARLEY_TEST_MONGO_URL: given } = readConfig(settings);
  return given === undefined ? startEmbeddedStore() : storeAt(given);
}

async function startEmbeddedStore(): Promise<TestStore> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-store-'));
  const embedded = await startEmbeddedMongo({ file: join(folder, 'test.db'), maxExaminedDocuments });
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

const freshName = (): string => `test_${randomUUID().replaceAll('-', '')}`;

async function drop(uri: string): Promise<void> {
  const mongo = await Mongo.connect(uri);
  await mongo.connection.dropDatabase();
  await mongo.close();
}

/** The connection string with another database name. */
export function withDatabase(uri: string, database: string): string {
  const [, server, query = ''] = /^(mongodb:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri) ?? [];
  if (server === undefined) throw new Error('Not a mongodb:// connection string.');
  return `${server}/${database}${query}`;
}
