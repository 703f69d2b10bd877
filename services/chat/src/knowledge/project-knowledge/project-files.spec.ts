import { beforeAll, describe, expect, test } from '@jest/globals';
import { mostProjectFiles, type FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../../conversations/index.ts';
import { putFile } from '../../testing/files-bench.spec-setup.ts';
import { projectBench } from '../../testing/project-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await projectBench();
const { addFile, clock, create, eraseUnused, filesOf, removeFile, removeProject, restoreProject, runJobs } = bench;
beforeAll(bench.ready);

const keptMs = 7 * 86_400_000;
const nothingLeft = { row: false, passages: 0, file: false };
const whole = { row: true, passages: 1, file: true };
const idsOf = (files: readonly { id: FileId }[]) => files.map(({ id }) => id);
const aFile = (viewer: Viewer) => bench.readyFile(viewer, ['Thirty herons.']);

describe('a file of a project', () => {
  test('is added once and listed with its state, counts for the storage, and stays as long as the project has it', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const [fileId, { id: unread }] = [await aFile(viewer), await bench.upload(viewer)];
    for (const one of [fileId, unread, fileId]) await addFile(viewer, id, one);
    expect((await filesOf(viewer, id)).map((file) => [file.id, file.status])).toEqual([
      [fileId, 'ready'],
      [unread, 'stored'],
    ]);
    expect(await bench.readProject(viewer, id)).toMatchObject({ files: 2, revision: 1 });
    const told = (await bench.recorded()).filter(({ subject }) => subject === id).map(({ data }) => data);
    const { orgId, userId } = { orgId: viewer.scope.orgId, userId: viewer.principal.userId };
    expect(told.slice(1)).toEqual(Array(2).fill({ orgId, userId, projectId: id, change: 'updated' }));
    await eraseUnused();
    expect(await bench.left(viewer, fileId)).toEqual(whole);
    expect(await bench.used(viewer)).toBe(28);
  });

  test('can be added again for a day after it was removed, and is erased then unless a draft has it', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const [fileId, drafted] = [await aFile(viewer), await aFile(viewer)];
    for (const one of [fileId, drafted]) await addFile(viewer, id, one);
    await bench.draft(viewer, { files: [drafted] });
    clock.advance(keptMs);
    for (const one of [fileId, drafted, fileId]) await removeFile(viewer, id, one);
    await bench.eraseFiles();
    await addFile(viewer, id, fileId);
    expect(idsOf(await filesOf(viewer, id))).toEqual([fileId]);
    await removeFile(viewer, id, fileId);
    await eraseUnused();
    expect(await filesOf(viewer, id)).toEqual([]);
    expect([await bench.left(viewer, fileId), await bench.left(viewer, drafted)]).toEqual([nothingLeft, whole]);
    await expect(addFile(viewer, id, fileId)).rejects.toMatchObject({ code: 'chat.file-not-found' });
    expect(await bench.recounted(viewer)).toEqual({ before: 14, after: 14 });
  });

  test('is its person’s own, is no image, and one more than there can be is refused', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const missing = { code: 'chat.file-not-found' };
    await expect(addFile(viewer, id, await aFile(aViewer(viewer.scope.orgId)))).rejects.toMatchObject(missing);
    await expect(addFile(viewer, id, newId('file'))).rejects.toMatchObject(missing);
    const { id: image } = await bench.upload(viewer, { name: 'Panel.png' });
    await expect(addFile(viewer, id, image)).rejects.toMatchObject({ code: 'chat.document-type-not-supported' });
    for (let at = 0; at < mostProjectFiles; at += 1) await addFile(viewer, id, await putFile(bench, viewer));
    const full = { code: 'chat.project-files-full' };
    await expect(addFile(viewer, id, await putFile(bench, viewer))).rejects.toMatchObject(full);
    await addFile(viewer, id, (await filesOf(viewer, id))[3]!.id);
    expect(await filesOf(viewer, id)).toHaveLength(mostProjectFiles);
  });

  test('leaves nothing if it is removed while it is read', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const { id: fileId } = await bench.upload(viewer);
    await addFile(viewer, id, fileId);
    const { scope } = viewer;
    const until = new Date(clock.now().getTime() + 2 * bench.keepUnusedMs);
    const held = (await bench.fileRows.claim(scope, (await bench.fileRows.find(scope, fileId))!, until))!;
    await bench.filePassages.replace(scope, { fileId, passages: [{ heading: null, text: 'Thirty' }] });
    await removeFile(viewer, id, fileId);
    await eraseUnused();
    const end = { status: 'ready', failure: null, passageCount: 1 } as const;
    await bench.work.run(viewer.principal, (tx) => bench.fileRows.finish(scope, held, end, tx));
    await eraseUnused();
    expect(await bench.left(viewer, fileId)).toEqual(nothingLeft);
    expect(await bench.used(viewer)).toBe(0);
  });

  test('is kept, as is that of another device that adds one at the same time', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const ids = [await aFile(viewer), await aFile(viewer)];
    await Promise.all(ids.map((one) => addFile(viewer, id, one)));
    expect(idsOf(await filesOf(viewer, id)).toSorted()).toEqual(ids.toSorted());
  });
});

describe('a deleted project', () => {
  test('keeps files of a deleted project for seven days, restores them, then frees their storage once', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const [own, both] = [await aFile(viewer), await aFile(viewer)];
    for (const one of [own, both]) await addFile(viewer, id, one);
    const asked = await bench.ask(viewer, { files: [{ id: both, use: 'whole' }] });
    await bench.end(viewer, asked);
    await removeProject(viewer, id);
    await runJobs();
    await expect(addFile(viewer, id, own)).rejects.toMatchObject({ code: 'chat.project-deleted' });
    await expect(removeFile(viewer, id, own)).rejects.toMatchObject({ code: 'chat.project-deleted' });
    await eraseUnused();
    await restoreProject(viewer, id);
    await runJobs();
    expect(idsOf(await filesOf(viewer, id))).toEqual([own, both]);
    await removeProject(viewer, id);
    await runJobs();
    clock.advance(keptMs);
    await runJobs();
    await bench.eraseFiles();
    expect([await bench.left(viewer, own), await bench.left(viewer, both)]).toEqual([nothingLeft, whole]);
    await runJobs();
    await eraseUnused();
    expect(await bench.used(viewer)).toBe(14);
    expect(await bench.recounted(viewer)).toEqual({ before: 14, after: 14 });
  });

  test('takes the draft of a new chat with its files along', async () => {
    const viewer = aViewer();
    const id = await create(viewer);
    const fileId = await aFile(viewer);
    await bench.draft(viewer, { text: 'What of the herons?', files: [fileId] }, id);
    await removeProject(viewer, id);
    await runJobs();
    await eraseUnused();
    await restoreProject(viewer, id);
    await runJobs();
    expect(await bench.readDraft(viewer, id)).toMatchObject({ text: 'What of the herons?', files: [fileId] });
    await removeProject(viewer, id);
    await runJobs();
    clock.advance(keptMs);
    await runJobs();
    await eraseUnused();
    expect(await bench.readDraft(viewer, id)).toEqual({ text: '', revision: 0, others: [] });
    expect(await bench.left(viewer, fileId)).toEqual(nothingLeft);
    expect(await bench.used(viewer)).toBe(0);
  });
});
