import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { importPartBytes, quotaLimits } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { buffer } from 'node:stream/consumers';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { storageSource } from '../../knowledge/files/index.ts';
import { importKey } from './import.ts';
import { withUploads } from './import-storage.ts';

const large = importPartBytes + 10;
const bench = await importBench({ importMax: 2 * large, storage: 40 * importPartBytes });
beforeAll(bench.ready);

const recounted = (viewer: Viewer) => withUploads(storageSource).count(bench.mongo, viewer.scope);
const content = (bytes: number, sign = 'a') => Buffer.alloc(bytes, sign);

describe('an upload', () => {
  test('comes in parts in any order, from any device, and is whole when it is checked', async () => {
    const viewer = aViewer();
    const id = newId('import');
    expect(await bench.begin(viewer, id, [large, 5])).toMatchObject({ status: 'uploading', progress: null });
    await bench.put(viewer, id, { number: 1, part: 2 }, content(10, 'c'));
    await bench.put(viewer, id, { number: 2, part: 1 }, content(5, 'd'));
    expect((await bench.read(viewer, id)).files.map(({ received }) => received)).toEqual([[2], [1]]);
    await expect(bench.check(viewer, id)).rejects.toMatchObject({ code: 'chat.import-incomplete' });
    await bench.put(viewer, id, { number: 1, part: 1 }, content(importPartBytes, 'a'));
    await bench.put(viewer, id, { number: 1, part: 1 }, content(importPartBytes, 'b'));
    expect(await bench.check(viewer, id)).toMatchObject({ status: 'checking', files: [{ received: [1, 2] }, {}] });
    expect(await bench.check(viewer, id)).toMatchObject({ status: 'checking' });
    await bench.turn(viewer, id);
    expect(await bench.read(viewer, id)).toMatchObject({ status: 'checked', files: [{ received: [1, 2] }, {}] });
    const stored = await buffer((await bench.blobs.get(importKey({ _id: id, orgId: viewer.scope.orgId }, 1)))!);
    expect(stored.equals(Buffer.concat([content(importPartBytes, 'b'), content(10, 'c')]))).toBe(true);
  });

  test('takes exactly its parts', async () => {
    const viewer = aViewer();
    const id = newId('import');
    await bench.begin(viewer, id, [large]);
    const part = (number: number, bytes: number) => bench.put(viewer, id, { number: 1, part: number }, content(bytes));
    await expect(part(1, 100)).rejects.toMatchObject({ code: 'platform.invalid-request' });
    await expect(part(2, 11)).rejects.toMatchObject({ code: 'platform.body-too-large' });
    await expect(part(3, 1)).rejects.toMatchObject({ code: 'platform.not-found' });
    await expect(bench.put(viewer, id, { number: 2, part: 1 }, content(1))).rejects.toMatchObject({
      code: 'platform.not-found',
    });
    expect((await bench.read(viewer, id)).files[0]!.received).toEqual([]);
  });

  test('is the same when it is begun again with its id, and a conflict with other files', async () => {
    const viewer = aViewer();
    const id = newId('import');
    const begun = await bench.begin(viewer, id, [7]);
    expect(await bench.begin(viewer, id, [7])).toEqual(begun);
    await expect(bench.begin(viewer, id, [8])).rejects.toMatchObject({ code: 'platform.conflict' });
  });

  test('is nobody else’s', async () => {
    const viewer = aViewer();
    const colleague = aViewer(viewer.scope.orgId);
    const id = newId('import');
    await bench.begin(viewer, id, [7]);
    for (const act of [bench.read, bench.check, bench.start, bench.stop, bench.drop])
      await expect(act(colleague, id)).rejects.toMatchObject({ code: 'chat.import-not-found' });
    await expect(bench.put(colleague, id, { number: 1, part: 1 }, content(7))).rejects.toMatchObject({
      code: 'chat.import-not-found',
    });
  });
});

describe('what uploads may take', () => {
  test('uploads of at most the bytes of the setting are taken, as many at once of a person as the quota allows', async () => {
    const viewer = aViewer();
    const ceiling = jest.replaceProperty(quotaLimits.imports, 'ceiling', 2 as never);
    await expect(bench.begin(viewer, newId('import'), [2 * large, 1])).rejects.toMatchObject({
      code: 'chat.import-too-large',
      extras: { detail: `An upload has at most ${2 * large} bytes in all.` },
    });
    await bench.begin(viewer, newId('import'), [2 * large]);
    const second = newId('import');
    await bench.begin(viewer, second, [large]);
    const another = () => bench.begin(viewer, newId('import'), [1]);
    await expect(another()).rejects.toMatchObject({ code: 'chat.imports-full' });
    await bench.begin(aViewer(viewer.scope.orgId), newId('import'), [1]);
    await bench.stop(viewer, second);
    const both = await Promise.allSettled([another(), another()]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    ceiling.restore();
  });

  test('they count for the storage until they are stopped, dropped or too old', async () => {
    const viewer = aViewer();
    const [stopped, dropped] = [newId('import'), newId('import')];
    await bench.begin(viewer, stopped, [large]);
    await bench.put(viewer, stopped, { number: 1, part: 2 }, content(10));
    await bench.begin(viewer, dropped, [20]);
    await bench.put(viewer, dropped, { number: 1, part: 1 }, content(20));
    expect(await bench.used(viewer)).toBe(30);
    expect(await bench.stop(viewer, stopped)).toMatchObject({ status: 'stopped', expiresAt: null });
    await bench.drop(viewer, dropped);
    expect(await bench.used(viewer)).toBe(0);
    await expect(bench.read(viewer, dropped)).rejects.toMatchObject({ code: 'chat.import-not-found' });
    const old = newId('import');
    await bench.begin(viewer, old, [30]);
    await bench.put(viewer, old, { number: 1, part: 1 }, content(30));
    bench.clock.advance(7 * 86_400_000);
    await bench.uploads.tidy();
    expect(await bench.read(viewer, old)).toMatchObject({ status: 'failed', failure: 'gone', expiresAt: null });
    expect(await bench.used(viewer)).toBe(0);
    bench.clock.advance(30 * 86_400_000);
    await bench.uploads.tidy();
    await expect(bench.read(viewer, old)).rejects.toMatchObject({ code: 'chat.import-not-found' });
  });

  test('announcing an upload takes no storage, and each uploaded part counts once', async () => {
    const viewer = aViewer();
    const id = newId('import');
    await bench.begin(viewer, id, [large]);
    expect(await bench.used(viewer)).toBe(0);
    await bench.put(viewer, id, { number: 1, part: 2 }, content(10));
    expect(await bench.used(viewer)).toBe(10);
    await bench.put(viewer, id, { number: 1, part: 2 }, content(10));
    await bench.put(viewer, id, { number: 1, part: 1 }, content(importPartBytes));
    await bench.put(viewer, id, { number: 1, part: 1 }, content(importPartBytes));
    expect(await bench.used(viewer)).toBe(large);
    expect(await recounted(viewer)).toBe(large);
    await bench.check(viewer, id);
    await bench.drop(viewer, id);
    expect(await bench.used(viewer)).toBe(0);
  });

  test('after a day, deletes uploads that have no parts and keeps the others', async () => {
    const viewer = aViewer();
    const [empty, begun] = [newId('import'), newId('import')];
    await bench.begin(viewer, empty, [20]);
    await bench.begin(viewer, begun, [large]);
    await bench.put(viewer, begun, { number: 1, part: 2 }, content(10));
    bench.clock.advance(86_400_000);
    await bench.uploads.tidy();
    await expect(bench.read(viewer, empty)).rejects.toMatchObject({ code: 'chat.import-not-found' });
    await expect(bench.put(viewer, empty, { number: 1, part: 1 }, content(20))).rejects.toThrow();
    await bench.put(viewer, begun, { number: 1, part: 1 }, content(importPartBytes));
    expect(await bench.check(viewer, begun)).toMatchObject({ status: 'checking' });
  });

  test('counts an upload that 0.4.0 counted as a whole by its parts once another part comes', async () => {
    const viewer = aViewer();
    const id = newId('import');
    await bench.begin(viewer, id, [large]);
    const row = await bench.imports.own(viewer.scope, { id, userId: viewer.principal.userId });
    await bench.work.run(viewer.principal, (tx) =>
      bench.imports.count(viewer.scope, row, { storedBytes: large, isHeld: true }, tx),
    );
    expect(await bench.used(viewer)).toBe(large);
    await bench.put(viewer, id, { number: 1, part: 2 }, content(10));
    expect(await bench.used(viewer)).toBe(10);
  });

  test('a part that finds no room any more is refused, and counts for nothing', async () => {
    const viewer = aViewer();
    const id = newId('import');
    await bench.begin(viewer, id, [large]);
    await bench.put(viewer, id, { number: 1, part: 2 }, content(10));
    await bench.use(viewer, 40 * importPartBytes - 20);
    const full = bench.put(viewer, id, { number: 1, part: 1 }, content(importPartBytes));
    await expect(full).rejects.toMatchObject({ code: 'chat.storage-quota-reached' });
    expect((await bench.read(viewer, id)).files[0]!.received).toEqual([2]);
    expect(await recounted(viewer)).toBe(10);
    expect(await bench.used(viewer)).toBe(40 * importPartBytes - 10);
  });
});
