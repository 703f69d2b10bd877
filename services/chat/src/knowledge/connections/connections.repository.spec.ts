import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from '@parley/contracts';
import { everywhere } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer, syncBench, web } from '../../testing/sync-bench.spec-setup.ts';

const bench = await syncBench();
const { clock, connectionRepository: connections } = bench;
beforeAll(bench.ready);
afterAll(bench.end);

const until = (ms: number) => new Date(clock.now().getTime() + ms);
const change = (viewer: Viewer, { id: connectionId, version }: Connection, body: object): Promise<Connection> =>
  bench.service.change({ ...viewer, params: { connectionId }, body: { version, ...body } } as never);
const rowOf = async ({ scope }: Viewer, { id }: Connection) => (await connections.find(scope, id))!;
/** Ids that a worker would find now. */
const waiting = async () => (await connections.listWaiting(everywhere, 100)).map(({ _id }) => _id);

describe('a connection that is paused', () => {
  test('waits for no worker, is wanted by nothing, and waits again when it goes on', async () => {
    const viewer = aViewer();
    const made = await bench.create(viewer, web('https://wiki.example'), { schedule: 'hourly' });
    expect(await waiting()).toEqual([made.id]);
    const paused = await change(viewer, made, { isPaused: true });
    expect(await waiting()).toEqual([]);
    expect(await connections.nextWaiting(everywhere, null)).toBeNull();
    expect(await connections.want(viewer.scope, made.id)).toBeNull();
    clock.advance(3_600_000);
    await connections.wantDue(everywhere, clock.now());
    expect([await waiting(), (await rowOf(viewer, made)).syncState]).toEqual([[], 'idle']);
    const resumed = await change(viewer, paused, { isPaused: false });
    expect(await waiting()).toEqual([made.id]);
    await change(viewer, resumed, { isPaused: true });
  });

  test('is found by no worker where it was paused while it waited in an earlier version', async () => {
    const viewer = aViewer();
    const made = await bench.create(viewer, web('https://wiki.example'));
    const rows = bench.mongo.connection.collection('connections');
    await rows.updateOne({ _id: made.id as never }, { $set: { isPaused: true } });
    expect((await rowOf(viewer, made)).syncState).toBe('waiting');
    expect([await waiting(), await connections.nextWaiting(everywhere, null)]).toEqual([[], null]);
    await rows.updateOne({ _id: made.id as never }, { $set: { syncState: 'idle', nextSyncAt: clock.now() } });
    await connections.wantDue(everywhere, clock.now());
    expect((await rowOf(viewer, made)).syncState).toBe('idle');
  });
});

test('a worker whose lease went to another one neither keeps nor ends its sync', async () => {
  const viewer = aViewer();
  const made = await bench.create(viewer, web('https://wiki.example'));
  const claim = async (holder: string, ms: number) =>
    connections.claim(viewer.scope, await rowOf(viewer, made), { holder, until: until(ms) }, clock.now());
  const first = (await claim('first', 0))!;
  const second = (await claim('second', 60_000))!;
  for (const set of [{ cursor: 'x' }, { syncState: 'idle' as const }])
    expect(await connections.keep(viewer.scope, first, { ...set, leaseUntil: until(60_000) })).toBeNull();
  expect(await rowOf(viewer, made)).toEqual(second);
});
