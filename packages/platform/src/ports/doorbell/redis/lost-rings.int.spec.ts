import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { describeOn, eventually, late, silentLogger } from '@parley/testing';
import { askRedis, startRedis, type TestServer } from '@parley/testing/servers';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { RedisDoorbell } from './redis-doorbell.ts';

/** A ring that is lost on its way has to come within this time after the connection is back. */
const wantedMs = 1_000;

/** The connection of one process to Redis, which a test cuts and restores. */
class Way {
  private isCut = false;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async to(redis: TestServer): Promise<Way> {
    const { hostname, port } = new URL(redis.url);
    const server = createServer((near) => {
      if (way.isCut) return void near.destroy();
      const far = connect(Number(port), hostname);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        way.sockets.add(one);
        one.on('error', () => one.destroy());
        one.once('close', () => (way.sockets.delete(one), other.destroy()));
        one.pipe(other);
      }
    });
    const way = new Way(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return way;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.cut();
    this.server.close();
  }
}

describeOn('redis that loses rings', await startRedis(), (redis) => {
  let ways: Way[];
  let bells: RedisDoorbell[];
  /** Names of the rings that the other process got. */
  let heard: string[];

  beforeEach(async () => {
    await askRedis(redis.url, 'FLUSHALL');
    heard = [];
    ways = [await Way.to(redis), await Way.to(redis)];
    bells = await Promise.all(ways.map(({ url }) => RedisDoorbell.connect({ url, logger: silentLogger() })));
    listen('a');
    listen('last');
    await hearsNow();
  });
  afterEach(async () => {
    for (const way of ways) way.mend();
    await Promise.all(bells.map((bell) => bell.close()));
    for (const way of ways) way.close();
  });

  const listen = (name: string) => bells[1]!.on(name, () => heard.push(name));
  const ringsOf = async (name: string) => Number((await askRedis(redis.url, `XLEN parley:bell:${name}`)).slice(1));
  const hearsNow = async (): Promise<void> => {
    heard = [];
    await eventually(() => {
      bells[0]!.ring('last');
      return heard.includes('last');
    }, 'the other process hears a later ring');
  };
  const hearsSoon = async (name: string): Promise<void> => {
    expect(heard).not.toContain(name);
    const mendedAt = performance.now();
    for (const way of ways) way.mend();
    await eventually(() => heard.includes(name), 'the other process hears the ring');
    late('a ring that was lost on its way', { took: performance.now() - mendedAt, most: wantedMs });
  };

  test('sends a ring again if the connection to Redis was cut', async () => {
    let isHeardHere = false;
    bells[0]!.on('a', () => (isHeardHere = true));
    ways[0]!.cut();
    bells[0]!.ring('a');
    await eventually(() => isHeardHere, 'its own process hears the ring');
    expect(await ringsOf('a')).toBe(0);
    await hearsSoon('a');
  });

  test('hears a ring sent while the listener was cut off as soon as the connection is back', async () => {
    ways[1]!.cut();
    bells[0]!.ring('a');
    await eventually(async () => (await ringsOf('a')) > 0, 'Redis has the ring');
    await hearsSoon('a');
  });

  test('hears a ring that comes after a name’s first listener and before its first read', async () => {
    ways[1]!.cut();
    listen('new');
    bells[0]!.ring('new');
    await eventually(async () => (await ringsOf('new')) > 0, 'Redis has the ring');
    await hearsSoon('new');
  });

  test('doesn’t hear a ring that Redis lost with its data or that was never sent, so that listeners need a sweep', async () => {
    ways[1]!.cut();
    bells[0]!.ring('a');
    await eventually(async () => (await ringsOf('a')) > 0, 'Redis has the ring');
    await askRedis(redis.url, 'FLUSHALL');
    ways[1]!.mend();
    await hearsNow();
    const dead = await RedisDoorbell.connect({ url: redis.url, logger: silentLogger() });
    dead.ring('a');
    await dead.close();
    expect(heard).not.toContain('a');
    await hearsNow();
    expect(heard).not.toContain('a');
  });
});
