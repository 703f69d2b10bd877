import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { FileId } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import type { Viewer } from '../../../conversations/index.ts';
import { filesBench } from '../../../testing/files-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { blobKey, seenKey } from '../file.ts';
import { hugePng, noise } from './images.spec-setup.ts';
import { ImageReader } from './image-reader.ts';

const bench = await filesBench();
const { clock, fileRows, kept, list, upload } = bench;
const running: { end(): Promise<void> }[] = [];
const red = await sharp({ create: { width: 2_000, height: 500, channels: 3, background: '#c00' } })
  .png()
  .toBuffer();
const notFound = { code: 'chat.file-not-found' };
beforeAll(bench.ready);
afterEach(() => Promise.all(running.splice(0).map((one) => one.end())));

async function untilIs(viewer: Viewer, id: FileId, status: string) {
  running.push(await bench.aProcess());
  return eventually(async () => {
    const [file] = await list(viewer, id);
    expect(file?.status).toBe(status);
    return file!;
  }, `the file is ${status}`);
}
async function keysOf({ scope }: Viewer, id: FileId) {
  const row = (await fileRows.find(scope, id))!;
  return [blobKey(row), seenKey(row)] as const;
}

test('an image is read once to what models see, which counts for the storage and goes with the file', async () => {
  const viewer = aViewer();
  const { id } = await upload(viewer, { name: 'Plan.PNG', text: red });
  await expect(bench.image(viewer, id)).rejects.toMatchObject(notFound);
  const file = await untilIs(viewer, id, 'ready');
  const size = { width: 1_568, height: 392 };
  expect(file).toMatchObject({ mediaType: 'image/png', image: size, tokens: null, passageCount: 0, failure: null });
  const jpeg = Buffer.from(await bench.image(viewer, id));
  expect(await sharp(jpeg).metadata()).toMatchObject({ format: 'jpeg', ...size });
  expect((await buffer((await bench.download(viewer, id)).content as Readable)).equals(red)).toBe(true);
  const used = red.length + jpeg.length;
  expect(await bench.recounted(viewer)).toEqual({ before: used, after: used });
  for (const other of [aViewer(viewer.scope.orgId), aViewer()])
    await expect(bench.image(other, id)).rejects.toMatchObject(notFound);
  expect(await upload(viewer, { id, name: 'Other.png', text: red })).toEqual(file);
  const keys = await keysOf(viewer, id);
  clock.advance(bench.keepUnusedMs);
  await bench.eraseFiles();
  expect(keys.filter((key) => kept.has(key))).toEqual([]);
  expect(await bench.recounted(viewer)).toEqual({ before: 0, after: 0 });
});

test.each([
  ['a PDF that is called an image', Buffer.from('%PDF-1.7'), 'image-unreadable'],
  ['an image of 200 megapixels', hugePng(20_000, 10_000), 'image-too-large'],
  ['an image that fits into the quota only as a file', await noise(170), 'over-quota'],
])('%s has failed, can be downloaded, and leaves nothing else', async (_name, text, failure) => {
  const viewer = aViewer();
  const { id } = await upload(viewer, { name: 'Plan.png', text });
  const file = await untilIs(viewer, id, 'failed');
  expect(file).toMatchObject({ failure, image: null });
  expect((await keysOf(viewer, id)).map((key) => kept.has(key))).toEqual([true, false]);
  expect(await bench.used(viewer)).toBe(text.length);
  await expect(bench.image(viewer, id)).rejects.toMatchObject(notFound);
  await expect(bench.ask(viewer, { files: [{ id, use: 'auto' }] })).rejects.toMatchObject({
    code: 'chat.file-unreadable',
  });
});

test('what ended one process after it had stored the image is read by the next, and counted once', async () => {
  const viewer = aViewer();
  const { id } = await upload(viewer, { name: 'Plan.png', text: red });
  const seen = (await fileRows.find(viewer.scope, id))!;
  await fileRows.claim(viewer.scope, seen, new Date(clock.now().getTime() + 60_000));
  kept.set((await keysOf(viewer, id))[1], Buffer.from('left by the first'));
  await untilIs(viewer, id, 'ready');
  const jpeg = Buffer.from(await bench.image(viewer, id));
  expect((await sharp(jpeg).metadata()).width).toBe(1_568);
  const used = red.length + jpeg.length;
  expect(await bench.recounted(viewer)).toEqual({ before: used, after: used });
});

test('a reader that stores the image after its file was erased takes it away again', async () => {
  const viewer = aViewer();
  const { id } = await upload(viewer, { name: 'Plan.png', text: red });
  const row = (await fileRows.find(viewer.scope, id))!;
  clock.advance(bench.keepUnusedMs);
  await bench.eraseFiles();
  kept.set(seenKey(row), Buffer.from('late'));
  await new ImageReader(fileRows, bench.quota, bench.blobs, bench.settings).dropIfErased(viewer.scope, row);
  expect(kept.has(seenKey(row))).toBe(false);
});

test('HEIC is not taken', async () => {
  const refused = { code: 'chat.document-type-not-supported' };
  await expect(upload(aViewer(), { name: 'Plan.heic', text: red })).rejects.toMatchObject(refused);
  await expect(upload(aViewer(), { name: 'Plan.svg', text: red })).rejects.toMatchObject(refused);
});
