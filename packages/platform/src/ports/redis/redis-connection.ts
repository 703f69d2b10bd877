import { Redis, type RedisOptions } from 'ioredis';
import { createLogger, type Logger } from '../../base/logging/index.ts';

/** Where Redis is: `redis://` or `rediss://` with user, password and database number if it has some. */
export type RedisAddress = { readonly url: string; readonly logger?: Logger };

/** What kind of answer a caller waits for: `quick` ones within a second, `blocking` ones as long as they take. */
export type RedisUse = 'quick' | 'blocking' | 'subscribing';

const quickMs = 1_000;
/** A server that has been asked and says nothing for so long counts as gone. */
const silenceMs = 5_000;
const slowestRetryMs = 1_000;
const openMs = 2_000;

/**
 * Commands while Redis is away reject at once, and so do those that were on their way when it went: what they do may
 * have happened.
 */
const failingFast: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  socketTimeout: silenceMs,
};
const optionsOf: Record<RedisUse, RedisOptions> = {
  quick: { ...failingFast, commandTimeout: quickMs },
  blocking: failingFast,
  subscribing: { maxRetriesPerRequest: null },
};

/**
 * A connection that opens itself again for ever. Waits a moment for it to be open, then goes on without: a service
 * starts, and runs on, while Redis is away. The first error of each outage is logged.
 */
export async function openRedis(address: RedisAddress, name: string, use: RedisUse): Promise<Redis> {
  const redis = new Redis(address.url, {
    ...optionsOf[use],
    connectionName: `parley:${name}`,
    protocol: 2,
    connectTimeout: silenceMs,
    retryStrategy: (tries) => Math.min(50 * tries, slowestRetryMs),
  });
  logOutages(redis, address.logger ?? createLogger({ name }));
  await new Promise<void>((resolve) => {
    const givenUp = setTimeout(resolve, openMs);
    redis.once('ready', () => {
      clearTimeout(givenUp);
      resolve();
    });
  });
  return redis;
}

function logOutages(redis: Redis, logger: Logger): void {
  let isAway = false;
  redis.on('error', (error: Error) => {
    if (isAway) return;
    isAway = true;
    logger.warn({ err: error }, 'Redis is away');
  });
  redis.on('ready', () => {
    if (isAway) logger.info('Redis is back');
    isAway = false;
  });
}

/** Waits for the answers that are due. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined);
  redis.disconnect();
}
