import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { exportFinished, exportsChanged, mostExports } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Readable } from 'node:stream';
import { quotaBytes } from '../../testing/files-bench.spec-setup.ts';
import { putProject } from '../../testing/put-project.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { exportedProjects } from './export-format.ts';
import { eraseAtOf } from './export.ts';
import { exportsBench } from './exports-bench.spec-setup.ts';

const bench = await exportsBench();
const { aChat, blobsOf, clock, create, download, exported, list, remove, run } = bench;
beforeAll(bench.ready);
beforeEach(() => {
  bench.rights.of = () => ['chat:read'];
});
const notFound = { code: 'chat.export-not-found' };

describe('an export of all that a person has', () => {
  test('has each chat as JSON and Markdown, and each file once', async () => {
    const viewer = aViewer();
    const file = await bench.readyFile(viewer, ['Thirty herons.'], 'Plan: 1.txt');
    const first = await aChat(viewer, { text: 'Herons?', files: [{ id: file, use: 'auto' }] });
    const second = await aChat(viewer, { text: 'Storks?', files: [{ id: file, use: 'auto' }] });
    const { names, all, chats, text } = await exported(viewer);
    const path = `files/${file}/Plan 1.txt`;
    const [one, two] = [first, second].map(({ conversation: { id } }) => id);
    expect(names.toSorted()).toEqual(
      [
        path,
        'parley-export.json',
        `chats/${one}.json`,
        `chats/${two}.json`,
        `chats/Herons-${one!.slice(-8)}.md`,
        `chats/Storks-${two!.slice(-8)}.md`,
      ].toSorted(),
    );
    expect(all).toMatchObject({ format: 'parley-export', version: 1, chats: 2, files: 1 });
    expect(text(path)).toBe('Thirty herons.');
    expect(chats.map(({ messages }) => messages[0]!.files.map((each) => each.path))).toEqual([[path], [path]]);
    expect(text(`chats/Herons-${one!.slice(-8)}.md`)).toContain('Three quiet herons.');
  });

  test('holds nothing of other people, nothing that was deleted, and no file of that', async () => {
    const viewer = aViewer();
    const colleague = aViewer(viewer.scope.orgId);
    const [theirs, gone] = [await bench.readyFile(colleague, ['Secret.']), await bench.readyFile(viewer, ['Gone.'])];
    await aChat(colleague, { text: 'Their chat', files: [{ id: theirs, use: 'auto' }] });
    const kept = await aChat(viewer, { text: 'Kept' });
    const conversationId = kept.conversation.id;
    const cut = await aChat(viewer, { conversationId, parentId: kept.answer.id, files: [{ id: gone, use: 'auto' }] });
    const deleted = await aChat(viewer, { text: 'Deleted' });
    await bench.keeping.delete({ ...viewer, params: { conversationId: deleted.conversation.id } } as never);
    await bench.deleting.delete({ ...viewer, params: { conversationId, messageId: cut.message.id } } as never);
    const { all, chats } = await exported(viewer);
    expect([all.chats, all.files]).toEqual([1, 0]);
    expect(chats.map(({ messages }) => messages.map(({ id }) => id))).toEqual([[kept.message.id, kept.answer.id]]);
  });

  test('of nothing is an archive of nothing', async () => {
    const { names, all } = await exported(aViewer());
    expect([names, all.chats]).toEqual([['parley-export.json'], 0]);
  });

  test('has the files of projects once, those of deleted and other people’s projects not at all', async () => {
    const viewer = aViewer();
    const file = (texts: string, name: string) => bench.readyFile(viewer, [texts], name);
    const [both, own, gone, deleted] = [
      await file('Both', 'Both.txt'),
      await file('Own', 'Own.txt'),
      await file('Gone', 'Gone.txt'),
      await file('Deleted', 'Deleted.txt'),
    ];
    await aChat(viewer, { files: [{ id: both, use: 'auto' }] });
    await putProject(bench, viewer, { name: 'Birds', files: [both, own, gone] });
    await putProject(bench, viewer, { name: 'Deleted', files: [deleted], deletedAt: clock.now(), isListed: false });
    await putProject(bench, aViewer(viewer.scope.orgId), { name: 'Theirs', files: [deleted] });
    bench.kept.delete(await bench.keyOf(viewer, gone));
    const { all, names, text } = await exported(viewer);
    const [bothPath, ownPath] = [`files/${both}/Both.txt`, `files/${own}/Own.txt`];
    expect(names.filter((name) => name.startsWith('files/')).toSorted()).toEqual([bothPath, ownPath].toSorted());
    expect([all.files, all.projects]).toEqual([2, 1]);
    const { projects } = exportedProjects.parse(JSON.parse(text('projects.json')));
    expect(projects.map(({ files }) => files?.map(({ name, path }) => [name, path]))).toEqual([
      [
        ['Both.txt', bothPath],
        ['Own.txt', ownPath],
        ['Gone.txt', null],
      ],
    ]);
  });

  test('has no path for a file whose content is gone', async () => {
    const viewer = aViewer();
    const file = await bench.readyFile(viewer, ['Thirty herons.']);
    await aChat(viewer, { files: [{ id: file, use: 'auto' }] });
    bench.kept.delete(await bench.keyOf(viewer, file));
    const { all, chats } = await exported(viewer);
    expect([all.files, chats[0]!.messages[0]!.files[0]!.path]).toEqual([0, null]);
  });

  test('counts for storage while it is there, and tells counts only', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    const { id } = await exported(viewer);
    const [made] = await list(viewer);
    expect(made).toMatchObject({ id, status: 'ready', chats: 1, files: 0, progress: null, failure: null });
    expect(made!.expiresAt).toBe(eraseAtOf(clock.now()).toISOString());
    expect(await bench.used(viewer)).toBe(made!.bytes);
    expect(await bench.recountedAll(viewer)).toEqual({ before: made!.bytes, after: made!.bytes });
    const told = (await bench.recorded()).filter(({ subject }) => subject === id);
    const states = told.filter(({ type }) => type === exportsChanged.type).map((event) => exportsChanged.parse(event));
    expect(states.map(({ data }) => data.status)).toEqual(['waiting', 'writing', 'ready']);
    expect(told.find(({ type }) => type === exportFinished.type)!.data).toEqual({
      orgId: viewer.scope.orgId,
      userId: viewer.principal.userId,
      exportId: id,
      chats: 1,
      files: 0,
      bytes: made!.bytes,
    });
    await remove(viewer, id);
    expect([await bench.used(viewer), blobsOf(viewer).length, await bench.rowsLeft(viewer)]).toEqual([0, 0, 0]);
  });
});

describe('exports of a person', () => {
  test('are one at a time, and the same id is the same export', async () => {
    const viewer = aViewer();
    const made = await create(viewer);
    expect(await create(viewer, made.id)).toEqual(made);
    await expect(create(viewer)).rejects.toMatchObject({ code: 'chat.export-running' });
    const both = aViewer();
    const results = await Promise.allSettled([create(both), create(both)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(create(aViewer(viewer.scope.orgId), made.id)).rejects.toMatchObject({ code: 'platform.conflict' });
  });

  test('are two at most: the oldest goes when another one is ready', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    const ids = [];
    for (let at = 0; at <= mostExports; at += 1) {
      ids.push((await exported(viewer)).id);
      clock.advance(1_000);
    }
    expect((await list(viewer)).map(({ id }) => id)).toEqual(ids.slice(1).toReversed());
    await run();
    expect(await bench.rowsLeft(viewer)).toBe(mostExports);
    expect(await bench.recountedAll(viewer)).toEqual({
      before: await bench.used(viewer),
      after: await bench.used(viewer),
    });
  });

  test('only their person finds, downloads and deletes exports', async () => {
    const viewer = aViewer();
    const { id } = await exported(viewer);
    for (const stranger of [aViewer(viewer.scope.orgId), aViewer()]) {
      await expect(download(stranger, id)).rejects.toMatchObject(notFound);
      await expect(remove(stranger, id)).rejects.toMatchObject(notFound);
      expect(await list(stranger)).toEqual([]);
    }
  });

  test('an export is deleted after seven days', async () => {
    const viewer = aViewer();
    const { id } = await exported(viewer);
    clock.advance(eraseAtOf(clock.now()).getTime() - clock.now().getTime() - 1);
    await run();
    expect((await download(viewer, id)).name).toMatch(/^parley-export-\d{4}-\d\d-\d\d\.zip$/);
    clock.advance(1);
    await expect(download(viewer, id)).rejects.toMatchObject(notFound);
    await run();
    expect([await list(viewer), await bench.used(viewer), blobsOf(viewer).length]).toEqual([[], 0, 0]);
  });

  test('an export that is not ready is not downloaded', async () => {
    const viewer = aViewer();
    const { id } = await create(viewer);
    await expect(download(viewer, id)).rejects.toMatchObject({ code: 'chat.export-running' });
  });
});

describe('an export fails, with its reason and nothing left,', () => {
  const failed = async (viewer: ReturnType<typeof aViewer>) => {
    const [{ status, failure, bytes } = { status: null, failure: null, bytes: null }] = await list(viewer);
    return { status, failure, bytes, left: blobsOf(viewer).length, used: await bench.used(viewer) };
  };
  const nothing = { status: 'failed', bytes: 0, left: 0, used: 0 };

  test('where the quota has no room for it', async () => {
    const viewer = aViewer();
    await aChat(viewer, {}, Array.from({ length: 20_000 }, () => Math.random().toString(36).slice(2)).join(' '));
    await create(viewer);
    await run();
    expect(await failed(viewer)).toEqual({ ...nothing, failure: 'over-quota' });
    const file = await bench.upload(viewer, { text: 'x'.repeat(quotaBytes) });
    await expect(create(viewer)).rejects.toMatchObject({ code: 'chat.storage-quota-reached' });
    expect(file.bytes).toBe(quotaBytes);
  });

  test('where the disk is full in the middle', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    await create(viewer);
    const put = bench.blobs.put;
    bench.blobs.put = async (_key, content: Readable) => {
      for await (const _part of content) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
      return 0;
    };
    await run();
    bench.blobs.put = put;
    expect(await failed(viewer)).toEqual({ ...nothing, failure: 'disk-full' });
    // Failed ones make room for the next.
    await exported(viewer);
    expect((await list(viewer)).map(({ status }) => status)).toEqual(['ready']);
  });

  test.each([
    ['is no member any more', new Problem('org.organisation-not-found')],
    ['has lost the permission', []],
  ])('where the person %s', async (_case, answer) => {
    const viewer = aViewer();
    await aChat(viewer);
    await create(viewer);
    bench.rights.of = () => answer;
    await run();
    expect(await failed(viewer)).toEqual({ ...nothing, failure: 'access-lost' });
  });

  test('where the person loses the organisation while it is written', async () => {
    const viewer = aViewer();
    await aChat(viewer);
    await create(viewer);
    let asked = 0;
    bench.rights.of = () => ((asked += 1) === 1 ? ['chat:read'] : new Problem('org.organisation-not-found'));
    await run();
    expect(await failed(viewer)).toEqual({ ...nothing, failure: 'access-lost' });
  });
});
