import { Redis } from 'ioredis';

export type RedisDescription = { readonly version: string; readonly major: number };

/** Resolves with a description of the server at the address; rejects if none answers within a few seconds. */
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
    // Throws the earlier cause, because ioredis says only "Connection is closed." at the end.
    throw cause ?? error;
  } finally {
    redis.disconnect();
  }
}
