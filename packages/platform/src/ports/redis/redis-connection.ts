import { Redis, type RedisOptions } from 'ioredis';
import { createLogger, type Logger } from '../../base/logging/index.ts';

/** The address of Redis: `redis://` or `rediss://`, with user, password and database number if Redis has them. */
export type RedisAddress = { readonly url: string; readonly logger?: Logger };

/** The kind of response that a caller waits for: `quick` ones come within a second, `blocking` ones take their time. */
export type RedisUse = 'quick' | 'blocking' | 'subscribing';

const quickMs = 1_000;
/** A server that doesn't answer for this long counts as unavailable. */
const silenceMs = 5_000;
const slowestRetryMs = 1_000;
const openMs = 2_000;

/**
 * While Redis is unavailable, commands reject immediately, as do commands that were under way, whose effect can have
 * happened.
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
 * Opens a connection that reopens itself. Waits a moment for it to open, then continues without it, because a service
 * starts and runs while Redis is unavailable. Logs the first error of each outage.
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

/** Closes the connection after the responses that are due. */
export async function closeRedis(redis: Redis): Promise<void> {
  if (redis.status === 'ready') await redis.quit().catch(() => undefined);
  redis.disconnect();
}
