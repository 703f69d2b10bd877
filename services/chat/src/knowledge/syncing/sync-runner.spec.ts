import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectionsToJobs } from '../connections/index.ts';
import { connectionChanged, connectionSynced, type Connection } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Quotas } from '@parley/platform/quotas';
import { eventually } from '@parley/testing';
import { aPage, aSite, aViewer, numbers, syncBench, web, type Answer } from '../../testing/sync-bench.spec-setup.ts';

const bench = await syncBench();
const site = await aSite();
bench.allow(site.origin);
beforeAll(bench.ready);
beforeEach(() => {
  site.pages.clear();
  site.asked.length = 0;
});
afterAll(async () => {
  site.close();
  await bench.end();
});

/** A page that is answered when somebody says so. */
function aSlowPage(): { answer: Answer; release: () => void } {
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  const answer = {
    act: (_request: unknown, response: { writeHead: Function }) =>
      void held.then(() => response.writeHead(200, { 'content-type': 'text/html' }).end(aPage('Slow'))),
  };
  return { answer: answer as Answer, release };
}
const states = async (viewer: ReturnType<typeof aViewer>, made: Pick<Connection, 'id'>) =>
  (await bench.find(viewer, made)).state;
const change = (viewer: ReturnType<typeof aViewer>, made: Connection, body: object) =>
  bench.service.change({
    ...viewer,
    params: { connectionId: made.id },
    body: { version: made.version, ...body },
  } as never);

describe('a sync', () => {
  test('that a dead worker has left is gone on with by another, and nothing is there twice', async () => {
    site.page('/', 'Start', '/a', '/b');
    site.page('/a', 'A');
    site.page('/b', 'B');
    const viewer = aViewer();
    const made = await bench.create(viewer, web(site.origin));
    const now = bench.clock.now();
    const seen = await bench.connectionRepository.find(viewer.scope, made.id);
    expect(await bench.connectionRepository.claim(viewer.scope, seen!, 'dead', now)).toMatchObject({ run: 1 });
    // What it had begun to store.
    const found = {
      address: `${site.origin}/a`,
      name: 'Half',
      mediaType: 'text/html',
      etag: null,
      lastModified: null,
      hash: null,
    } as const;
    await bench.synced.fail(viewer.scope, { _id: made.id, name: 'Wiki', run: 1 }, found, 'source-failed');
    const worker = await bench.aWorker();
    const synced = await bench.untilSynced(viewer, made);
    expect(await bench.documentsOf(viewer, made)).toEqual(['A: stored', 'B: stored', 'Start: stored']);
    expect(numbers(synced)).toMatchObject({ found: 3, fetched: 3 });
    const row = await bench.connectionRepository.find(viewer.scope, made.id);
    expect(row).toMatchObject({ run: 1, leaseHolder: null });
    await worker.end();
  });

  test('whose lease went to another worker is not written to by the first one any more', async () => {
    const viewer = aViewer();
    const { id } = await bench.create(viewer, web(site.origin));
    const repository = bench.connectionRepository;
    const now = bench.clock.now();
    const claim = async (holder: string) => {
      const seen = (await repository.find(viewer.scope, id))!;
      return (await repository.claim(viewer.scope, seen, holder, now))!;
    };
    const first = await claim('first');
    const second = await claim('second');
    expect(second.run).toBe(first.run);
    const kept = { cursor: 'x' };
    expect(await repository.keep(viewer.scope, first, kept)).toBeNull();
    expect(await repository.find(viewer.scope, id)).toEqual(second);
    expect(await repository.keep(viewer.scope, second, kept)).toMatchObject({ cursor: 'x', leaseHolder: 'second' });
    await repository.keep(viewer.scope, second, { ...kept, syncState: 'idle' });
  });

  test('that a worker gives back when it ends in order goes on where it was', async () => {
    const { answer, release } = aSlowPage();
    site.page('/', 'Start', '/a', '/slow');
    site.page('/a', 'A');
    site.pages.set('/slow', answer);
    const viewer = aViewer();
    const first = await bench.aWorker();
    const made = await bench.create(viewer, web(site.origin));
    await eventually(() => site.asked.includes('/slow'), 'it waits for the slow page');
    await first.end();
    expect(await states(viewer, made)).toBe('syncing');
    release();
    const second = await bench.aWorker();
    await bench.untilSynced(viewer, made);
    expect(await bench.documentsOf(viewer, made)).toEqual(['A: stored', 'Slow: stored', 'Start: stored']);
    expect(site.asked.filter((path) => path === '/')).toHaveLength(1);
    await second.end();
  });

  test('is told as it goes, by numbers only, and nobody is told what is in the documents', async () => {
    site.page('/', 'Secret title', '/a');
    site.page('/a', 'A');
    const viewer = aViewer();
    const worker = await bench.aWorker();
    const made = await bench.create(viewer, web(site.origin));
    await bench.untilSynced(viewer, made);
    const events = (await bench.recorded()).filter(
      ({ data }) => (data as { connectionId?: string }).connectionId === made.id,
    );
    expect(events[0]).toMatchObject({ type: connectionChanged.type, data: { change: 'created', source: 'web' } });
    const told = events.filter(({ type }) => type === connectionSynced.type);
    expect(told[0]?.data).toMatchObject({ state: 'syncing', failure: null });
    expect(told.at(-1)?.data).toMatchObject({ state: 'ready', progress: { found: 2, fetched: 2 } });
    expect(JSON.stringify(events)).not.toContain('Secret');
    // The audit log has the address of the source: events of syncs have none.
    expect(JSON.stringify(told)).not.toContain(site.origin);
    await worker.end();
  });
});

describe('a connection', () => {
  test('that is paused ends what runs, waits for nothing, and goes on when it is resumed', async () => {
    const { answer, release } = aSlowPage();
    site.page('/', 'Start', '/slow');
    site.pages.set('/slow', answer);
    const viewer = aViewer();
    const worker = await bench.aWorker();
    const made = await bench.create(viewer, web(site.origin), { schedule: 'hourly' });
    await eventually(() => site.asked.includes('/slow'), 'it runs');
    const paused = await change(viewer, made, { isPaused: true });
    release();
    await eventually(async () => (await states(viewer, made)) === 'paused', 'it is paused');
    expect(await bench.find(viewer, made)).toMatchObject({ nextSyncAt: null });
    expect(await states(viewer, await bench.sync(viewer, made))).toBe('paused');
    await change(viewer, paused, { isPaused: false });
    const synced = await bench.untilSynced(viewer, made, 2);
    expect(synced.state).toBe('ready');
    expect(new Date(synced.nextSyncAt!).getTime() - bench.clock.now().getTime()).toBe(3_600_000);
    await worker.end();
  });

  test('is synced when its time has come', async () => {
    site.page('/', 'Start');
    const viewer = aViewer();
    const first = await bench.aWorker();
    const made = await bench.create(viewer, web(site.origin), { schedule: 'daily' });
    await bench.untilSynced(viewer, made);
    await first.end();
    bench.clock.advance(24 * 3_600_000);
    const next = await bench.aWorker();
    await bench.untilSynced(viewer, made, 2);
    await next.end();
  });

  test('a connection of an earlier version is synced to the end and in time, and erased if it was deleted', async () => {
    site.page('/', 'Start');
    const viewer = aViewer();
    const worker = await bench.aWorker();
    const [left, due, gone] = [aViewer(), aViewer(), viewer];
    const made = new Map<typeof viewer, Connection>();
    for (const each of [left, due, gone]) {
      const connection = await bench.create(each, web(site.origin), { schedule: 'daily' });
      made.set(each, await bench.untilSynced(each, connection));
    }
    await worker.end();
    const rows = bench.mongo.connection.collection('connections');
    const set = (whose: typeof viewer, change: object) =>
      rows.updateOne({ _id: made.get(whose)!.id as never }, { $set: change });
    await set(left, { syncState: 'running', run: 2, leaseHolder: 'dead', leaseUntil: new Date(0) });
    await set(gone, { isDeleted: true, nextSyncAt: null });
    await bench.mongo.connection.collection('jobs').deleteMany({});
    for (const migration of [...connectionsToJobs, ...connectionsToJobs]) await migration.batch(bench.mongo, null);
    const next = await bench.aWorker();
    await bench.untilSynced(left, made.get(left)!, 2);
    await eventually(async () => (await bench.documentsOf(gone, made.get(gone)!)).length === 0, 'it is erased');
    expect((await bench.connectionRepository.find(due.scope, made.get(due)!.id))?.run).toBe(1);
    await next.end();
    bench.clock.advance(24 * 3_600_000);
    const later = await bench.aWorker();
    await bench.untilSynced(due, made.get(due)!, 2);
    await later.end();
  });

  test('that is deleted is out of answers at once, and its documents, files and passages go', async () => {
    site.page('/', 'Start');
    const viewer = aViewer();
    const worker = await bench.aWorker();
    const made = await bench.create(viewer, web(site.origin));
    await bench.untilSynced(viewer, made);
    const [document] = (await bench.documentRows.list(viewer.scope, [made.id], { limit: 1 })).items;
    const passages = [{ heading: null, text: 'A start.' }];
    await bench.retrieval.replace(viewer.scope, { id: document!.id, name: 'Start', connectionId: made.id }, passages);
    const wish = { ...viewer, params: { connectionId: made.id } } as never;
    expect(await bench.service.listUses(wish)).toEqual({ items: [], everywhere: 1, passages: 1 });
    await bench.service.delete(wish);
    expect(await bench.readable.of(viewer.scope, viewer.principal)).not.toContain(made.id);
    await eventually(
      async () => (await bench.documentRows.findMany(viewer.scope, [document!.id])).length === 0,
      'it is gone',
    );
    expect(await bench.retrieval.countIn(viewer.scope, made.id)).toBe(0);
    await expect(bench.service.delete(wish)).rejects.toMatchObject({ code: 'chat.connection-not-found' });
    await worker.end();
  });

  test('for uploads is there from the beginning: it is renamed and given to some, never deleted or synced', async () => {
    const viewer = aViewer();
    const [uploads] = (await bench.service.list(viewer as never)).items;
    expect(uploads).toMatchObject({
      isDefault: true,
      name: '',
      version: 0,
      state: 'ready',
      source: { kind: 'upload' },
    });
    const audience = { kind: 'some' as const, roles: ['owner' as const], groupIds: [], userIds: [] };
    const changed = await change(viewer, uploads!, { name: 'Files', audience });
    expect(changed).toMatchObject({ name: 'Files', version: 2 });
    await expect(change(viewer, uploads!, { name: 'Late' })).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { name: 'Files', version: 2 } },
    });
    const wish = { ...viewer, params: { connectionId: uploads!.id } } as never;
    await expect(bench.service.delete(wish)).rejects.toMatchObject({ code: 'platform.conflict' });
    await expect(bench.service.sync(wish)).rejects.toMatchObject({ code: 'platform.conflict' });
    const analyst = aViewer(viewer.scope.orgId, { role: 'analyst' });
    expect((await bench.service.list(analyst as never)).items).toEqual([]);
    expect(await bench.readable.of(viewer.scope, analyst.principal)).toEqual([]);
  });

  test('of a bucket keeps its secret to itself, and to its host', async () => {
    const viewer = aViewer();
    const source = {
      kind: 'bucket' as const,
      endpoint: site.origin,
      region: 'eu',
      bucket: 'docs',
      prefix: '',
      accessKeyId: 'key',
    };
    const made = await bench.create(viewer, source, { secret: 'hush' });
    expect(JSON.stringify(made)).not.toContain('hush');
    expect(JSON.stringify(await bench.connectionRepository.find(viewer.scope, made.id))).not.toContain('hush');
    const moved = { ...source, endpoint: 'https://storage.example.org' };
    await expect(change(viewer, made, { source: moved })).rejects.toMatchObject({ code: 'platform.invalid-request' });
    expect(await change(viewer, made, { source: { ...source, prefix: 'a/' } })).toMatchObject({ version: 2 });
    await expect(change(viewer, { ...made, version: 2 }, { source: web(site.origin) })).rejects.toMatchObject({
      code: 'platform.invalid-request',
    });
  });

  test('ends where the storage quota does and says so; what is indexed stays, and it goes on when there is room', async () => {
    site.page('/', 'Start', '/a');
    site.page('/a', 'A');
    const viewer = aViewer();
    const worker = await bench.aWorker();
    const made = await bench.create(viewer, web(site.origin));
    await bench.untilSynced(viewer, made);
    const before = await bench.documentsOf(viewer, made);
    const quotas = new Quotas(bench.mongo);
    await quotas.setCeiling(viewer.scope, 'storage', 1);
    site.page('/a', 'More');
    site.page('/', 'Start again', '/a');
    await bench.sync(viewer, made);
    const full = await bench.untilSynced(viewer, made, 2);
    expect(full).toMatchObject({ state: 'failing', lastSync: { failure: 'over-quota', fetched: 0 } });
    expect(await bench.documentsOf(viewer, made)).toEqual(before);
    await quotas.setCeiling(viewer.scope, 'storage', null);
    await bench.sync(viewer, made);
    expect(await bench.untilSynced(viewer, made, 3)).toMatchObject({ state: 'ready', lastSync: { fetched: 2 } });
    await worker.end();
  });

  test('is one of fifty at most, and repeating its making makes it once', async () => {
    const viewer = aViewer();
    const body = {
      id: newId('connection'),
      name: 'Files',
      source: { kind: 'upload' },
      audience: { kind: 'everybody' },
      schedule: 'daily',
    };
    const create = (more: object = {}) => bench.service.create({ ...viewer, body: { ...body, ...more } } as never);
    expect(await create()).toEqual(await create({ name: 'Other' }));
    for (let made = 1; made < 50; made += 1) await create({ id: newId('connection') });
    await expect(create({ id: newId('connection') })).rejects.toMatchObject({ code: 'org.limit-reached' });
  });
});
