import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  startKafka,
  startRedis,
  startSecantus,
  type KafkaGuard,
  type Skipped,
  type TestServer,
} from '../servers/index.ts';

/** Kafka, Redis and a document store for one installation, and a folder for its keys and uploads. */
export type Infrastructure = {
  readonly kafka: TestServer;
  readonly redis: TestServer;
  readonly mongoUrl: string;
  readonly folder: string;
  close(): Promise<void>;
};
/** The reference store is the slower one. */
export type StoreProgram = 'embedded-mongo' | 'secantus';

/** Real servers, or why they cannot be had here. */
export async function startInfrastructure(
  options: { readonly store?: StoreProgram; readonly guard?: KafkaGuard } = {},
): Promise<Infrastructure | Skipped> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-distributed-'));
  const started: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(started.map((server) => server.close()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const kafka = await startKafka(options.guard);
    if ('skipped' in kafka) return await close().then(() => kafka);
    started.push(kafka);
    const redis = await startRedis();
    if ('skipped' in redis) return await close().then(() => redis);
    started.push(redis);
    const store = options.store === 'secantus' ? await startSecantus() : await startOwnStore(folder);
    if ('skipped' in store) return await close().then(() => store);
    started.push(store);
    return { kafka, redis, mongoUrl: store.url, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * As docker-compose.yml and docs/how-to/deploy-distributed.md have it: so long a process that was killed in a transaction stands in
 * everybody's way.
 */
const transactionLifetimeMs = 3_000;

async function startOwnStore(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  const store = await startEmbeddedMongo({ file: join(folder, 'store.db'), transactionLifetimeMs, keepsExpiredMs: 0 });
  return { url: store.uri('').replace('/?', '?'), close: () => store.close() };
}
