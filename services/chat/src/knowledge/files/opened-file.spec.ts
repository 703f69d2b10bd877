import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await filesBench();
const { service, readyFile } = bench;
beforeAll(bench.ready);

const viewer = aViewer();
const text = (fileId: string, query: object, as = viewer) =>
  service.text({ ...as, params: { fileId }, query: { limit: 2, ...query } } as never);
const notFound = { code: 'chat.file-not-found' };

describe('an opened file', () => {
  test('says what it is, and gives its text in pages', async () => {
    const id = await readyFile(viewer, ['One.', 'Two.', 'Three.', 'Four.', 'Five.'], 'Plan.txt');
    expect(await service.open({ ...viewer, params: { fileId: id } } as never)).toMatchObject({
      id,
      name: 'Plan.txt',
      mediaType: 'text/plain',
    });
    const first = await text(id, {});
    expect(first.passages.map((passage) => passage.text)).toEqual(['One.', 'Two.']);
    expect([first.previous, first.next]).toEqual([null, 2]);
    const last = await text(id, { from: 4 });
    expect(last.passages.map((passage) => passage.text)).toEqual(['Five.']);
    expect([last.previous, last.next]).toEqual([2, null]);
    expect(await text(id, { from: 9 })).toMatchObject({ passages: [], next: null });
  });

  test('opens at the page of a passage; at the first one for a passage that it does not have', async () => {
    const id = await readyFile(viewer, ['One.', 'Two.', 'Three.']);
    const other = await readyFile(viewer, ['Elsewhere.', 'And there.', 'And here.']);
    const { chunkId } = (await text(id, { from: 2 })).passages[0]!;
    expect((await text(id, { chunkId })).passages.map((passage) => passage.text)).toEqual(['Three.']);
    expect((await text(other, { chunkId })).passages[0]!.text).toBe('Elsewhere.');
  });

  test('is not there for people who cannot read a chat with it', async () => {
    const id = await readyFile(viewer, ['One.']);
    for (const other of [aViewer(viewer.scope.orgId), aViewer()]) {
      await expect(service.open({ ...other, params: { fileId: id } } as never)).rejects.toMatchObject(notFound);
      await expect(text(id, {}, other)).rejects.toMatchObject(notFound);
    }
    await expect(text(newId('file'), {})).rejects.toMatchObject(notFound);
  });
});
