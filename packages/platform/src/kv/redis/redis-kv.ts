import type { Redis } from 'ioredis';
import { closeRedis, openRedis, type RedisAddress } from '../../redis/redis-connection.ts';
import { Kv } from '../kv.ts';

const keyOf = (key: string): string => `parley:kv:${key}`;
/** Redis refuses times before 1970; such a value is gone at once like any other whose time is over. */
const timeOf = (expiresAt: Date): number => Math.max(1, expiresAt.getTime());

/**
 * Values shared by all processes. A call rejects at once while Redis is away, and after a second when it does not
 * answer.
 */
export class RedisKv extends Kv {
  private constructor(private readonly redis: Redis) {
    super();
  }

  static async connect(address: RedisAddress): Promise<RedisKv> {
    return new RedisKv(await openRedis(address, 'kv', 'quick'));
  }

  get(key: string): Promise<string | null> {
    return this.redis.get(keyOf(key));
  }

  async set(key: string, value: string, { expiresAt }: { expiresAt: Date }): Promise<void> {
    await this.redis.set(keyOf(key), value, 'PXAT', timeOf(expiresAt));
  }

  async setIfAbsent(key: string, value: string, { expiresAt }: { expiresAt: Date }): Promise<boolean> {
    return (await this.redis.set(keyOf(key), value, 'PXAT', timeOf(expiresAt), 'NX')) === 'OK';
  }

  async increment(key: string, { expiresAt }: { expiresAt: Date }): Promise<number> {
    const results = await this.redis.multi().incr(keyOf(key)).pexpireat(keyOf(key), timeOf(expiresAt), 'NX').exec();
    const [error, value] = results?.[0] ?? [];
    if (error || typeof value !== 'number') throw error ?? new Error(`The value of ${key} is no counter.`);
    return value;
  }

  async delete(key: string): Promise<void> {
    await this.redis.del(keyOf(key));
  }

  close(): Promise<void> {
    return closeRedis(this.redis);
  }
}
