import type { Redis } from 'ioredis';
import { closeRedis, openRedis, type RedisAddress } from '../../redis/redis-connection.ts';
import { Kv } from '../kv.ts';

const keyOf = (key: string): string => `parley:kv:${key}`;
const membersOf = (key: string): string => `${keyOf(key)}:members`;
/** Members by the time until which they count. Expiry follows Redis's own clock, as for its keys. */
const enter = `
  local time = redis.call('TIME')
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', time[1] * 1000 + math.floor(time[2] / 1000))
  local isIn = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if not isIn and redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[2]) then return 0 end
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
  redis.call('PEXPIREAT', KEYS[1], ARGV[3], 'NX')
  redis.call('PEXPIREAT', KEYS[1], ARGV[3], 'GT')
  return 1`;
/** Redis refuses times before 1970; such a value has expired like any other. */
const timeOf = (expiresAt: Date): number => Math.max(1, expiresAt.getTime());

/**
 * Values shared by all processes. A call rejects immediately while Redis is unavailable, and after a second if it
 * doesn't answer.
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

  async increment(key: string, { by = 1, expiresAt }: { by?: number; expiresAt: Date }): Promise<number> {
    const name = keyOf(key);
    const results = await this.redis.multi().incrby(name, by).pexpireat(name, timeOf(expiresAt), 'NX').exec();
    const [error, value] = results?.[0] ?? [];
    if (error || typeof value !== 'number') throw error ?? new Error(`The value of ${key} is no counter.`);
    return value;
  }

  async enter(key: string, member: string, { most, expiresAt }: { most: number; expiresAt: Date }): Promise<boolean> {
    const until = String(timeOf(expiresAt));
    return (await this.redis.eval(enter, 1, membersOf(key), member, String(most), until)) === 1;
  }

  async leave(key: string, member: string): Promise<void> {
    await this.redis.zrem(membersOf(key), member);
  }

  async delete(key: string): Promise<void> {
    await this.redis.del(keyOf(key), membersOf(key));
  }

  close(): Promise<void> {
    return closeRedis(this.redis);
  }
}
