import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { Readable } from 'node:stream';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { blobKey } from './rows/document.ts';
import { documentFilesBench, text } from './document-files-bench.spec-setup.ts';

const bench = await documentFilesBench();
const { upload, replace, erase, sizeOf, state, files, documents, synced } = bench;
beforeAll(bench.ready);
afterAll(bench.close);
let before: string[];
beforeEach(() => {
  before = files();
});
const newFiles = () => files().filter((file) => !before.includes(file));
const nothing = { usedBytes: 0, counted: 0, pending: 0 };
const refused = { code: 'chat.storage-quota-reached' };

/** A body whose last byte comes when something else has happened. */
const heldUntil = (happened: () => Promise<void>, content: Buffer): Readable =>
  Readable.from(
    (async function* () {
      yield content.subarray(1);
      await happened();
      yield content.subarray(0, 1);
    })(),
  );
/** Resolves for all as soon as `count` of them wait. */
function allOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let waiting = 0;
  return () => {
    waiting += 1;
    if (waiting === count) resolve();
    return promise;
  };
}
const source = () => ({ _id: newId('connection'), name: 'Wiki', run: 1 });
const page = { address: 'https://wiki.example/a', name: 'A', mediaType: 'text/plain' as const };
const found = { ...page, etag: null, lastModified: null, hash: null };

describe('a newer version of a document', () => {
  test('replaces the file that 0.3.0 has stored under the id of the document', async () => {
    const viewer = aViewer();
    const { scope } = viewer;
    const { id } = await upload(viewer, text(100));
    const row = (await bench.documentRows.find(scope, id))!;
    const { fileKey, ...stored } = row;
    await bench.blobs.put(blobKey(stored), Readable.from([text(100)]), { maxBytes: 100 });
    await bench.blobs.delete(fileKey!);
    await bench.mongo.connection.collection('documents').updateOne({ _id: id as never }, { $unset: { fileKey: 1 } });
    expect(await sizeOf(viewer, id)).toBe(100);
    await replace(viewer, id, text(900));
    expect([await sizeOf(viewer, id), await bench.blobs.get(blobKey(stored))]).toEqual([900, null]);
    expect(await state(viewer)).toEqual({ usedBytes: 900, counted: 900, pending: 0 });
  });

  test('a version that the quota refuses leaves the older file and no byte', async () => {
    const viewer = aViewer();
    const ids = [newId('document'), newId('document'), newId('document')];
    for (const id of ids) await upload(viewer, text(100), id);
    before = files();
    // Each fits by itself, so each is stored whole before it is counted.
    const arrived = allOf(ids.length);
    const all = await Promise.allSettled(ids.map((id) => replace(viewer, id, heldUntil(arrived, text(6_000)))));
    expect(all.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    for (const [at, { status }] of all.entries()) {
      if (status === 'rejected') expect(all[at]).toMatchObject({ reason: refused });
      expect(await sizeOf(viewer, ids[at]!)).toBe(status === 'rejected' ? 100 : 6_000);
    }
    expect(files()).toHaveLength(before.length);
    expect(await state(viewer)).toEqual({ usedBytes: 6_200, counted: 6_200, pending: 0 });
  });

  test('a version that fitted only in place of bytes that are gone is refused', async () => {
    const viewer = aViewer();
    const { id } = await upload(viewer, text(9_000));
    const smaller = Promise.withResolvers<void>();
    const late = replace(
      viewer,
      id,
      heldUntil(() => smaller.promise, text(9_000)),
    );
    await replace(viewer, id, text(100));
    await upload(viewer, text(9_000));
    smaller.resolve();
    await expect(late).rejects.toMatchObject(refused);
    expect(await sizeOf(viewer, id)).toBe(100);
    expect(await state(viewer)).toEqual({ usedBytes: 9_100, counted: 9_100, pending: 0 });
  });

  test('a version whose transaction fails leaves the older file and no byte', async () => {
    const viewer = aViewer();
    const { id } = await upload(viewer, text(100));
    before = files();
    const { overwrite } = documents;
    documents.overwrite = () => Promise.reject(new Error('away'));
    try {
      await expect(replace(viewer, id, text(900))).rejects.toThrow('away');
    } finally {
      documents.overwrite = overwrite;
    }
    expect(await sizeOf(viewer, id)).toBe(100);
    expect(files()).toHaveLength(before.length);
    expect(await state(viewer)).toEqual({ usedBytes: 100, counted: 100, pending: 0 });
  });

  test('a version whose document is erased meanwhile leaves no byte', async () => {
    const viewer = aViewer();
    const { id } = await upload(viewer, text(100));
    const erased = Promise.withResolvers<void>();
    const replaced = replace(
      viewer,
      id,
      heldUntil(() => erased.promise, text(6_000)),
    );
    await erase(viewer, id);
    erased.resolve();
    await expect(replaced).rejects.toMatchObject({ code: 'chat.document-not-found' });
    expect([newFiles(), await state(viewer)]).toEqual([[], nothing]);
  });

  test('a version that its source gives while its connection is erased leaves no byte', async () => {
    const viewer = aViewer();
    const connection = source();
    await synced.store(viewer.scope, connection, found, Readable.from([text(100)]));
    const erased = Promise.withResolvers<void>();
    const changed = heldUntil(() => erased.promise, text(6_000));
    const lost = () => Promise.reject(new Error('The lease was lost.'));
    const stored = synced.store(viewer.scope, connection, found, changed, lost);
    await synced.eraseSome(viewer.scope, connection._id);
    erased.resolve();
    await expect(stored).rejects.toThrow('lease');
    expect([newFiles(), await state(viewer)]).toEqual([[], nothing]);
  });

  test('a failed document whose source then refuses the file keeps no stored file', async () => {
    const viewer = aViewer();
    const connection = source();
    await synced.store(viewer.scope, connection, found, Readable.from([text(9)]));
    const rows = bench.mongo.connection.collection('documents');
    await rows.updateOne({ connectionId: connection._id, isDeleted: false }, { $set: { status: 'failed' } });
    await synced.fail(viewer.scope, connection, page, 'source-refused');
    expect([newFiles(), await state(viewer)]).toEqual([[], nothing]);
  });
});

test('a repeated upload leaves no file if its document was erased meanwhile and the quota refuses it', async () => {
  const viewer = aViewer();
  const id = newId('document');
  const erased = Promise.withResolvers<void>();
  const late = upload(
    viewer,
    heldUntil(() => erased.promise, text(6_000)),
    id,
  );
  await upload(viewer, text(100), id);
  await erase(viewer, id);
  await upload(viewer, text(9_000));
  before = files();
  erased.resolve();
  await expect(late).rejects.toMatchObject(refused);
  expect([newFiles(), await state(viewer)]).toEqual([[], { usedBytes: 9_000, counted: 9_000, pending: 0 }]);
});
