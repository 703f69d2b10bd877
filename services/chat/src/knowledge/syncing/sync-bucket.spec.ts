import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ConnectionSource } from '@parley/contracts';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { syncConnections } from '../connections/index.ts';
import { aViewer, numbers, syncBench } from '../../testing/sync-bench.spec-setup.ts';

const bench = await syncBench();
/** What lies in the bucket, by key; pages of its list hold three. */
const objects = new Map<string, string>();
const asked: string[] = [];
let refusesAll = false;
const etagOf = (text: string): string => `&quot;${createHash('md5').update(text).digest('hex')}&quot;`;

function list(after: string): string {
  const keys = [...objects.keys()].toSorted().filter((key) => key > after);
  const page = keys.slice(0, 3);
  const contents = page.map((key) => {
    const text = objects.get(key)!;
    return `<Contents><Key>${key}</Key><ETag>${etagOf(text)}</ETag><Size>${text.length}</Size></Contents>`;
  });
  const more = keys.length > page.length;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}
/** Speaks as much of S3 as a source is read by. */
const server = createServer((request, response) => {
  const url = new URL(request.url!, 'http://localhost');
  if (refusesAll || !request.headers.authorization?.includes('key-id')) {
    response.writeHead(403, { 'content-type': 'application/xml' });
    return void response.end('<Error><Code>AccessDenied</Code></Error>');
  }
  if (url.searchParams.has('list-type')) {
    response.writeHead(200, { 'content-type': 'application/xml' });
    return void response.end(list(url.searchParams.get('continuation-token') ?? ''));
  }
  const key = decodeURIComponent(url.pathname).replace('/docs/', '');
  asked.push(key);
  response.writeHead(objects.has(key) ? 200 : 404).end(objects.get(key));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const source: ConnectionSource = {
  kind: 'bucket',
  endpoint,
  region: 'eu',
  bucket: 'docs',
  prefix: '',
  accessKeyId: 'key-id',
};
bench.allow(endpoint);
beforeAll(async () => {
  await bench.ready();
  await bench.aWorker();
});
beforeEach(() => {
  objects.clear();
  asked.length = 0;
  refusesAll = false;
});
afterAll(async () => {
  server.close();
  await bench.end();
});
const fill = (count: number) => {
  for (let at = 0; at < count; at += 1) objects.set(`a/${at}.md`, `# Text ${at}`);
};

test('a bucket is read by its list, and then only what has another ETag', async () => {
  fill(7);
  objects.set('a/picture.png', 'png');
  objects.delete('a/6.md');
  objects.set('a/Report.PDF', '%PDF');
  objects.set('a/folder/', '');
  const viewer = aViewer();
  const made = await bench.create(viewer, source, { secret: 'hush' });
  expect(numbers(await bench.untilSynced(viewer, made))).toMatchObject({ found: 7, fetched: 7, unchanged: 0 });
  asked.length = 0;
  objects.set('a/3.md', '# New');
  objects.set('a/9.md', '# More');
  await bench.sync(viewer, made);
  expect(numbers(await bench.untilSynced(viewer, made, 2))).toMatchObject({ found: 8, fetched: 2, unchanged: 6 });
  expect(asked.toSorted()).toEqual(['a/3.md', 'a/9.md']);
  expect(await bench.find(viewer, made)).toMatchObject({ documents: { all: 8 } });
  expect(await bench.typesOf(viewer, made)).toContain('application/pdf');
});

test('a bucket that was emptied takes nothing with it before somebody says so; one that lets nobody in neither', async () => {
  fill(5);
  const viewer = aViewer();
  const made = await bench.create(viewer, source, { secret: 'hush' });
  await bench.untilSynced(viewer, made);
  objects.clear();
  await bench.sync(viewer, made);
  expect(await bench.untilSynced(viewer, made, 2)).toMatchObject({
    removal: { count: 5, of: 5 },
    documents: { all: 5 },
  });
  refusesAll = true;
  await bench.sync(viewer, made);
  expect(await bench.untilSynced(viewer, made, 3)).toMatchObject({
    state: 'failing',
    removal: null,
    documents: { all: 5 },
    lastSync: { failure: 'refused' },
  });
});

test('what a worker did before it died is neither fetched nor counted again, also where only the end was left', async () => {
  fill(4);
  const viewer = aViewer();
  const made = await bench.create(viewer, source, { secret: 'hush' });
  const { lastSync } = await bench.untilSynced(viewer, made);
  objects.set('a/1.md', '# New');
  // As a worker leaves it that has seen one page, fetched the changed one of it and kept two, and died before its end.
  const rows = bench.mongo.connection.collection('connections');
  const { found: _found, at: _at, failure: _failure, ...none } = lastSync!;
  for (const [cursor, found, fetched, unchanged] of [
    [null, 0, 1, 0],
    [' ended', 4, 1, 3],
  ] as const) {
    asked.length = 0;
    const changed = {
      address: 'a/1.md',
      name: '1.md',
      mediaType: 'text/markdown',
      lastModified: null,
      hash: null,
    } as const;
    const row = (await rows.findOne({ _id: made.id as never }))!;
    const run = Number(row['run']) + 1;
    const etag = etagOf('# New').replaceAll('&quot;', '"');
    await bench.synced.store(
      viewer.scope,
      { _id: made.id, name: 'Wiki', run },
      { ...changed, etag },
      Readable.from(['# New']),
    );
    if (cursor) await bench.synced.keep(viewer.scope, { _id: made.id, run }, ['a/0.md', 'a/2.md', 'a/3.md']);
    const progress = { ...none, found, fetched, unchanged };
    const left = { syncState: 'running', run, cursor, progress, leaseHolder: 'dead', startedAt: new Date() };
    await rows.updateOne({ _id: made.id as never }, { $set: left });
    await bench.work.run(viewer.principal, async (tx) => tx.queue(syncConnections, { orgId: viewer.scope.orgId }));
    expect(numbers(await bench.untilSynced(viewer, made, run))).toMatchObject({ found: 4, fetched: 1, unchanged: 3 });
    expect(asked).toEqual([]);
  }
});

test('a dry run counts, and stores nothing', async () => {
  fill(4);
  objects.set('a/picture.png', 'png');
  const viewer = aViewer();
  const preview = (body: object) => bench.preview.preview({ ...viewer, body } as never);
  const seen = await preview({ source, secret: 'hush' });
  expect(seen).toMatchObject({ failure: null, found: 4, seen: 5, skipped: 1, bytes: 32, isComplete: true });
  expect(seen.sample[0]).toEqual({ name: '0.md', address: 'a/0.md', bytes: 8 });
  expect(await bench.documentRows.count(viewer.scope, await bench.readable.of(viewer.scope, viewer.principal))).toBe(0);
  expect(asked).toEqual([]);
  expect(await preview({ source })).toMatchObject({ failure: 'refused' });
  // The secret that is kept goes to its own host.
  const { id: connectionId } = await bench.create(viewer, source, { secret: 'hush' });
  expect(await preview({ source, connectionId })).toMatchObject({ failure: null, found: 4 });
  const elsewhere = { ...source, accessKeyId: 'key-id-2' };
  expect(await preview({ source: elsewhere, connectionId })).toMatchObject({ failure: 'refused' });
});
