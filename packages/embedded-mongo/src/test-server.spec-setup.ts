import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { startEmbeddedMongo, type EmbeddedMongo, type EmbeddedMongoOptions } from './index.ts';

/** A store with a client, in a folder of its own. */
export type TestServer = { store: EmbeddedMongo; client: MongoClient; file: string; close(): Promise<void> };

/** Starts a store for a test. */
export async function startTestServer(options: Omit<EmbeddedMongoOptions, 'file'> = {}): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const file = join(folder, 'store.db');
  const store = await startEmbeddedMongo({ testCommands: true, ...options, file });
  const client = await MongoClient.connect(store.uri('test'), { maxPoolSize: 20 });
  const close = async (): Promise<void> => {
    await client.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, client, file, close };
}
