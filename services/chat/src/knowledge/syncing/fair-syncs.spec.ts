import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Connection, ConnectionId, ConnectionSource } from '@parley/contracts';
import type { Viewer } from '../../conversations/index.ts';
import { aPage, aSite, aViewer, syncBench, web } from '../../testing/sync-bench.spec-setup.ts';
import { eventually, type TestJobs } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';

const bench = await syncBench();
const [slow, quick] = [await aSite(), await aSite()];
bench.allow(slow.origin);
bench.allow(quick.origin);
let release = (): void => undefined;
const workers: TestJobs[] = [];
beforeAll(bench.ready);
afterEach(async () => {
  release();
  await Promise.all(workers.splice(0).map((worker) => worker.end()));
  for (const name of ['connections', 'jobs']) await bench.mongo.connection.collection(name).deleteMany({});
  slow.pages.clear();
  slow.asked.length = 0;
});
afterAll(async () => {
  slow.close();
  quick.close();
  await bench.end();
});

const worker = async (...parts: Parameters<typeof bench.aWorker>): Promise<void> =>
  void workers.push(await bench.aWorker(...parts));
const quickSource = (): ConnectionSource => {
  quick.page('/', 'Quick');
  return web(quick.origin);
};
/** A site that does not answer until the test ends. */
function hangingSource(): ConnectionSource {
  const held = new Promise<void>((resolve) => (release = resolve));
  const act = (_request: unknown, response: { writeHead: Function }) =>
    void held.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(aPage('Slow')));
  slow.pages.set('/', { act: act as never });
  return web(slow.origin);
}
/** A site whose start links to so many texts, which are answered step by step until `open` and need no reader. */
function steppedSource(pages: number): { source: ConnectionSource; step: () => void; open: () => void } {
  const held: (() => void)[] = [];
  let isOpen = false;
  const step = (): void => held.splice(0).forEach((answer) => answer());
  slow.pages.set('/', {
    body: aPage(
      'Start',
      Array.from({ length: pages }, (_unused, at) => `/${at}`),
    ),
  });
  for (let at = 0; at < pages; at += 1) {
    const act = (_request: unknown, response: { writeHead: Function }) => {
      const answer = () => response.writeHead(200, { 'content-type': 'text/plain' }).end(`Page ${at}`);
      if (isOpen) answer();
      else held.push(answer);
    };
    slow.pages.set(`/${at}`, { act: act as never });
  }
  const open = (): void => {
    isOpen = true;
    step();
  };
  return { source: web(slow.origin), step, open };
}
const isRunning = async ({ scope }: Viewer, { id }: Pick<Connection, 'id'>): Promise<boolean> =>
  (await bench.connectionRepository.find(scope, id))!.syncState === 'running';
async function countRunning(made: readonly (readonly [Viewer, Connection])[]): Promise<number> {
  const running = await Promise.all(made.map(([viewer, connection]) => isRunning(viewer, connection)));
  return running.filter(Boolean).length;
}
const createEach = async (viewers: readonly Viewer[], source: ConnectionSource) => {
  const made: [Viewer, Connection][] = [];
  for (const viewer of viewers) made.push([viewer, await bench.create(viewer, source)]);
  return made;
};

test('one person with three organisations and slow sites runs two of four syncs, and another organisation is synced', async () => {
  const mine = [aViewer(), aViewer(), aViewer()];
  const made = await createEach(mine, hangingSource());
  const ids = new Set(mine.map(({ scope }) => scope.orgId));
  await worker({ of: (orgId) => (ids.has(orgId) ? 'usr_slow' : orgId) });
  await eventually(async () => (await countRunning(made)) === 2, 'half of the syncs run');
  const other = aViewer();
  await bench.untilSynced(other, await bench.create(other, quickSource()));
  expect(await countRunning(made)).toBe(2);
});

test('two organisations that a platform admin created are synced at the same time', async () => {
  const made = await createEach([aViewer(), aViewer()], hangingSource());
  await worker();
  await eventually(async () => (await countRunning(made)) === 2, 'both run');
});

test('a sync that had its turn gives it to one that waits, and goes on where it was', async () => {
  const pages = 40;
  const { source, step, open } = steppedSource(pages);
  release = open;
  const made = await createEach([aViewer(), aViewer(), aViewer(), aViewer()], source);
  // Each has had its turn at once.
  await worker(undefined, 0);
  await eventually(async () => (await countRunning(made)) === 4, 'all slots are taken');
  const other = aViewer();
  const waiting = await bench.create(other, quickSource());
  const jobOfOther = `sync-connections/${other.scope.orgId}`;
  await eventually(async () => {
    const row = await bench.connectionRepository.find(other.scope, waiting.id);
    // The others stay at work while it has its turn.
    const job = await bench.mongo.connection.collection('jobs').findOne({ _id: jobOfOther } as never);
    if (job?.state !== 'running') step();
    return row!.run === 1 && row!.syncState === 'idle';
  }, 'the one that waited is synced');
  expect(await countRunning(made)).toBe(4);
  open();
  for (const [viewer, connection] of made) {
    const synced = await bench.untilSynced(viewer, connection);
    expect(synced.lastSync).toMatchObject({ fetched: pages + 1, failure: null });
    expect((await bench.connectionRepository.find(viewer.scope, connection.id))?.run).toBe(1);
  }
}, 120_000);

test('what waits is in the order of its arrival, whatever id a client made', async () => {
  const viewer = aViewer();
  const first = await bench.create(viewer, quickSource());
  const id = `con_${'0'.repeat(26)}` as ConnectionId;
  const body = { id, name: 'Later', source: quickSource(), audience: { kind: 'everybody' }, schedule: 'manual' };
  const later = await bench.service.create({ ...viewer, body } as never);
  for (const { id: connectionId } of [first, later]) {
    await bench.sync(viewer, { id: connectionId });
    await wait(5);
  }
  await worker();
  const ended = async ({ id: of }: Pick<Connection, 'id'>) =>
    (await bench.connectionRepository.find(viewer.scope, of))!.lastSync?.at.getTime();
  await bench.untilSynced(viewer, first);
  bench.clock.advance(1_000);
  await bench.untilSynced(viewer, later);
  expect(await ended(later)).toBeGreaterThanOrEqual((await ended(first))!);
});
