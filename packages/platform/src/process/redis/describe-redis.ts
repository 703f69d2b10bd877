import { Redis } from 'ioredis';

export type RedisDescription = { readonly version: string; readonly major: number };

/** Resolves with what answers at the address; rejects if nothing does within a few seconds. */
export async function describeRedis(url: string): Promise<RedisDescription> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    protocol: 2,
  });
  let cause: unknown;
  redis.on('error', (error: Error) => (cause = error));
  try {
    await redis.connect();
    const version = /^(?:valkey|redis)_version:(\S+)/m.exec(await redis.info('server'))?.[1] ?? 'unknown';
    return { version, major: Number.parseInt(version, 10) };
  } catch (error) {
    // ioredis says "Connection is closed."; it gave the cause before.
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
