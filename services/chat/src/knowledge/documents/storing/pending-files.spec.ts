import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { limits, type DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Quotas } from '@parley/platform/quotas';
import { job } from '@parley/platform/work';
import { Readable } from 'node:stream';
import type { Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { documentFilesBench, text } from '../document-files-bench.spec-setup.ts';
import type { Settle } from './pending-files.ts';

const { mongo, documents, synced, blobs, quota, work, clock, ...bench } = await documentFilesBench();
const { replace, state, files } = bench;
beforeAll(bench.ready);
afterAll(bench.close);

const upload = (viewer: Viewer, bytes: number, id?: DocumentId) => bench.upload(viewer, text(bytes), id);
let before: string[];
beforeEach(() => {
  before = files();
});
const newFiles = () => files().filter((file) => !before.includes(file));
const dayMs = 86_400_000;
const nothing = { usedBytes: 0, counted: 0, pending: 0 };

test('an upload with the id of another organisation leaves no file', async () => {
  const [owner, stranger] = [aViewer(), aViewer()];
  const { id } = await upload(owner, 100);
  before = files();
  for (let attempt = 0; attempt < 3; attempt += 1)
    await expect(upload(stranger, 4_000, id)).rejects.toMatchObject({ code: 'platform.conflict' });
  expect(newFiles()).toEqual([]);
  expect(await state(stranger)).toEqual(nothing);
});

test('a synced file whose sync has ended meanwhile leaves no file', async () => {
  const { scope } = aViewer();
  const found = { address: 'https://wiki.example/a', name: 'A', mediaType: 'text/plain' as const };
  const source = { _id: newId('connection'), name: 'Wiki', run: 1 };
  const lost = () => Promise.reject(new Error('The lease was lost.'));
  const of = { ...found, etag: null, lastModified: null, hash: null };
  await expect(synced.store(scope, source, of, Readable.from([text(500)]), lost)).rejects.toThrow('lease');
  expect(newFiles()).toEqual([]);
  expect(await quota.read(scope)).toMatchObject({ usedBytes: 0 });
});

test('an upload that is cut off leaves nothing that counts', async () => {
  const viewer = aViewer();
  const cut = Readable.from(
    (async function* () {
      yield text(500);
      throw new Error('gone');
    })(),
  );
  const query = { id: newId('document'), name: 'Plan.txt' };
  await expect(documents.upload({ ...viewer, query, request: cut } as never)).rejects.toThrow();
  expect([newFiles(), await state(viewer)]).toEqual([[], nothing]);
});

test('concurrent uploads with the same id leave one file', async () => {
  const viewer = aViewer();
  const id = newId('document');
  await Promise.all(Array.from({ length: 4 }, () => upload(viewer, 2_000, id)));
  expect(newFiles()).toEqual([expect.stringMatching(new RegExp(`^${id}-`, 'i'))]);
  expect(await state(viewer)).toEqual({ usedBytes: 2_000, counted: 2_000, pending: 0 });
});

test('the file of a process that died counts until a job deletes it', async () => {
  const viewer = aViewer();
  const { scope } = viewer;
  const key = `documents/${scope.orgId}/${newId('document')}`.toLowerCase();
  const place = { key, replaced: 0, most: limits.fileBytes };
  const died = Promise.withResolvers<Settle>();
  void quota.store(scope, place, [text(6_000)] as never, async ({ settle }) => {
    died.resolve(settle);
    return new Promise<never>(() => undefined);
  });
  const settle = await died.promise;
  expect(await state(viewer)).toEqual({ usedBytes: 6_000, counted: 6_000, pending: 1 });
  await expect(upload(viewer, 6_000)).rejects.toMatchObject({ code: 'chat.storage-quota-reached' });
  await quota.deletePending();
  expect(newFiles()).toHaveLength(1);
  clock.advance(dayMs);
  await quota.deletePending();
  expect([newFiles(), await state(viewer)]).toEqual([[], nothing]);
  // It lives after all, and hears that its file is gone.
  await expect(work.run(job('tests'), settle)).rejects.toMatchObject({ code: 'platform.unavailable' });
});

test('the job deletes a file that cannot be deleted at once', async () => {
  const viewer = aViewer();
  const { id } = await upload(aViewer(), 100);
  before = files();
  const remove = blobs.delete.bind(blobs);
  blobs.delete = () => Promise.reject(new Error('away'));
  try {
    await expect(upload(viewer, 3_000, id)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect(await state(viewer)).toEqual({ usedBytes: 3_000, counted: 3_000, pending: 1 });
    await expect(upload(viewer, 10, id)).rejects.toMatchObject({ code: 'platform.conflict' });
  } finally {
    blobs.delete = remove;
  }
  clock.advance(2 * dayMs);
  await quota.deletePending();
  expect([newFiles(), await state(viewer)]).toEqual([[], nothing]);
});

test('a newer version of a document counts instead of the older one', async () => {
  const viewer = aViewer();
  const made = await upload(viewer, 500);
  await replace(viewer, made.id, text(900));
  expect(await state(viewer)).toEqual({ usedBytes: 900, counted: 900, pending: 0 });
  expect(await new Quotas(mongo).read(viewer.scope, { quota: 'storage' })).toMatchObject({ used: 900 });
});
