import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Doorbell } from '../doorbell/index.ts';
import { RedisDoorbell } from '../doorbell/redis/index.ts';
import type { Kv } from '../kv/index.ts';
import { RedisKv } from '../kv/redis/index.ts';
import { RedisLiveStream } from '../live-stream/redis/index.ts';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import {
  describeDoorbell,
  describeKv,
  describeLiveStream,
  describeLiveStreamLoad,
  describeLiveStreamOutages,
  describeOn,
  eventually,
  late,
  silentLogger,
} from '@parley/testing';
import { askRedis, startRedis, type TestServer } from '@parley/testing/servers';

const logger = silentLogger();
/** Limits the wait for a rejection, which is immediate on an idle machine. */
const rejectsWithinMs = 30_000;
/**
 * A call rejects after little more than a second. A call that waited for Redis to answer again would not reject at all.
 */
const silentMs = 15_000;
const inAMinute = () => ({ expiresAt: new Date(Date.now() + 60_000) });

describeOn('redis', await startRedis(), ({ url }) => {
  const address = { url, logger };
  // Waits a little longer, because the server rounds to milliseconds of its own clock.
  const pass = (ms: number) => wait(ms + 20);
  describeKv('redis', () => RedisKv.connect(address), { isShared: true, shortMs: 2_000, pass });
  describeDoorbell('redis', () => RedisDoorbell.connect(address), { isShared: true });
  describeLiveStream('redis', () => RedisLiveStream.connect(address), { overflow: 1_000, isShared: true });
  describeLiveStreamLoad(
    'redis',
    () => RedisLiveStream.connect(address),
    async () => cpuSeconds(await askRedis(url, 'INFO cpu')),
  );
});

describeOn('redis that comes and goes', await startRedis(), (server) => {
  describeKvOutages(server);
  describeDoorbellOutages(server);
  describeLiveStreamOutages({
    name: 'redis that forgets',
    server,
    makeLive: () => RedisLiveStream.connect({ url: server.url, logger }),
    flush: async () => void (await askRedis(server.url, 'FLUSHALL')),
  });
});

describeOn('redis that comes back with its data', await startRedis({ isDurable: true }), (server) => {
  describeLiveStreamOutages({
    name: 'redis that keeps',
    server,
    makeLive: () => RedisLiveStream.connect({ url: server.url, logger }),
    flush: async () => void (await askRedis(server.url, 'FLUSHALL')),
  });
});

function cpuSeconds(info: string): number {
  return ['used_cpu_sys', 'used_cpu_user'].reduce(
    (sum, name) => sum + Number(new RegExp(`${name}:([0-9.]+)`).exec(info)?.[1]),
    0,
  );
}

async function timeToReject(call: () => Promise<unknown>): Promise<number> {
  const begunAt = performance.now();
  await expect(call()).rejects.toThrow();
  return performance.now() - begunAt;
}

function describeKvOutages(server: TestServer): void {
  describe('kv: redis away', () => {
    let kv: Kv;
    beforeEach(async () => {
      kv = await RedisKv.connect({ url: server.url, logger });
    });
    afterEach(() => kv.close());

    test('each call rejects immediately while Redis is unavailable, and works again when it is back', async () => {
      const key = randomUUID();
      await kv.set(key, 'one', inAMinute());
      await server.kill();
      for (const call of [
        () => kv.get(key),
        () => kv.set(key, 'two', inAMinute()),
        () => kv.setIfAbsent(key, 'two', inAMinute()),
        () => kv.increment(key, inAMinute()),
        () => kv.delete(key),
      ]) {
        late('a call while Redis is away', { took: await timeToReject(call), most: rejectsWithinMs });
      }
      await server.restart();
      await eventually(() => kv.set(key, 'three', inAMinute()), 'Redis is used again');
      expect(await kv.get(key)).toBe('three');
    });

    test('calls that are under way when Redis is killed reject', async () => {
      await askRedis(server.url, 'CLIENT PAUSE 60000 ALL');
      const calls = Array.from({ length: 20 }, () => timeToReject(() => kv.increment('paused', inAMinute())));
      await server.kill();
      const took = Math.max(...(await Promise.all(calls)));
      late('calls on their way to a Redis that is killed', { took, most: rejectsWithinMs });
      await server.restart();
    });

    test('a call to a silent Redis rejects before Redis answers again', async () => {
      await askRedis(server.url, `CLIENT PAUSE ${silentMs} ALL`);
      const tookMs = await timeToReject(() => kv.increment('slow', inAMinute()));
      process.stdout.write(`a silent Redis rejects after ${Math.round(tookMs)} ms\n`);
      late('a call to a Redis that says nothing', { took: tookMs, most: silentMs });
      await eventually(async () => (await kv.get('slow')) !== '', 'Redis answers again', 60_000);
    });

    test('after all values are flushed, counters and locks begin again', async () => {
      const key = randomUUID();
      await kv.increment(key, inAMinute());
      await kv.increment(key, inAMinute());
      await askRedis(server.url, 'FLUSHALL');
      expect([await kv.get(key), await kv.increment(key, inAMinute())]).toEqual([null, 1]);
    });

    test('a process that starts without Redis works once Redis is there', async () => {
      await server.kill();
      const early = await RedisKv.connect({ url: server.url, logger });
      await expect(early.get('anything')).rejects.toThrow();
      await server.restart();
      await eventually(() => early.set('anything', 'one', inAMinute()), 'Redis is used');
      await early.close();
    });
  });
}

function describeDoorbellOutages(server: TestServer): void {
  describe('doorbell: redis away', () => {
    const opened: Doorbell[] = [];
    const open = async (): Promise<Doorbell> => {
      const bell = await RedisDoorbell.connect({ url: server.url, logger });
      opened.push(bell);
      return bell;
    };
    afterAll(() => Promise.all(opened.map((bell) => bell.close())));

    test('a ring while Redis is unavailable is heard by its own process immediately, and by the others when Redis is back', async () => {
      const [bell, other] = [await open(), await open()];
      let [here, there, late] = [0, 0, 0];
      bell.on('a', () => {
        here += 1;
      });
      other.on('a', () => {
        there += 1;
      });
      await eventually(() => {
        bell.ring('a');
        return there > 0;
      }, 'the other process hears');
      await server.kill();
      here = 0;
      bell.ring('a');
      await eventually(() => here === 1, 'the own process hears');
      other.on('late', () => {
        late += 1;
      });
      await server.restart();
      there = 0;
      await eventually(() => there > 0, 'the other process hears the ring that Redis did not take');
      await eventually(() => {
        bell.ring('late');
        return late > 0;
      }, 'the other process hears a name that it did not know before');
    });
  });
}
