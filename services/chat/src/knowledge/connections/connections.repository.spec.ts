import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Connection } from '@parley/contracts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer, syncBench, web } from '../../testing/sync-bench.spec-setup.ts';

const bench = await syncBench();
const { clock, connectionRepository: connections } = bench;
beforeAll(bench.ready);
afterAll(bench.end);

const change = (viewer: Viewer, { id: connectionId, version }: Connection, body: object): Promise<Connection> =>
  bench.service.change({ ...viewer, params: { connectionId }, body: { version, ...body } } as never);
const rowOf = async ({ scope }: Viewer, { id }: Connection) => (await connections.find(scope, id))!;
/** The one that a worker would sync now. */
const next = async ({ scope }: Viewer) => (await connections.upNext(scope, clock.now())).next?._id ?? null;

describe('a connection that is paused', () => {
  test('waits for no worker, is wanted by nothing, and waits again when it goes on', async () => {
    const viewer = aViewer();
    const made = await bench.create(viewer, web('https://wiki.example'), { schedule: 'hourly' });
    expect(await next(viewer)).toBe(made.id);
    const paused = await change(viewer, made, { isPaused: true });
    expect(await connections.upNext(viewer.scope, clock.now())).toEqual({ next: null, at: null });
    const wanted = bench.work.run(viewer.principal, (tx) => connections.want(viewer.scope, made.id, tx));
    expect(await wanted).toBeNull();
    clock.advance(3_600_000);
    expect([await next(viewer), (await rowOf(viewer, made)).syncState]).toEqual([null, 'idle']);
    const resumed = await change(viewer, paused, { isPaused: false });
    expect(await next(viewer)).toBe(made.id);
    await change(viewer, resumed, { isPaused: true });
  });

  test('is found by no worker where it was paused while it waited in an earlier version', async () => {
    const viewer = aViewer();
    const made = await bench.create(viewer, web('https://wiki.example'));
    const rows = bench.mongo.connection.collection('connections');
    await rows.updateOne({ _id: made.id as never }, { $set: { isPaused: true } });
    expect((await rowOf(viewer, made)).syncState).toBe('waiting');
    expect(await next(viewer)).toBeNull();
    await rows.updateOne({ _id: made.id as never }, { $set: { syncState: 'idle', nextSyncAt: clock.now() } });
    expect(await next(viewer)).toBeNull();
    expect((await rowOf(viewer, made)).syncState).toBe('idle');
  });
});

test('a worker whose sync went to another one neither keeps nor ends its sync', async () => {
  const viewer = aViewer();
  const made = await bench.create(viewer, web('https://wiki.example'));
  const claim = async (holder: string) =>
    connections.claim(viewer.scope, await rowOf(viewer, made), holder, clock.now());
  const first = (await claim('first'))!;
  const second = (await claim('second'))!;
  for (const set of [{ cursor: 'x' }, { syncState: 'idle' as const }])
    expect(await connections.keep(viewer.scope, first, set)).toBeNull();
  expect(await rowOf(viewer, made)).toEqual(second);
});
