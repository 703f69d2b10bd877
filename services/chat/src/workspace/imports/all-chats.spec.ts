import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ImportId } from '@parley/contracts';
import { TestJobs } from '@parley/testing';
import type { Viewer } from '../../conversations/index.ts';
import { importBench } from '../../testing/import-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { aChat, aLine } from './chats.spec-setup.ts';
import { changeImportedChats } from './imported-chats-job.ts';

const bench = await importBench();
beforeAll(bench.ready);
const { imported, conversationsOf, service, keeping } = bench;

const chats = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => aChat(`${name}${at}`, aLine(`${name}${at}`, ['q', 'a'])));
const of = (viewer: Viewer, importId: ImportId) => ({ ...viewer, params: { importId } }) as never;
const listed = async (viewer: Viewer, id: ImportId) =>
  (await keeping.list({ ...viewer, query: { limit: 50, import: id } } as never)).items;
const runJobs = () => new TestJobs(bench).with(changeImportedChats, bench.all).run();

describe('all chats of an import', () => {
  test('are listed and counted, archived ones too, apart from those of any other import', async () => {
    const viewer = aViewer();
    const first = await imported(viewer, [
      ...chats('f', 2),
      aChat('old', aLine('old', ['q', 'a']), { isArchived: true }),
    ]);
    const second = await imported(viewer, chats('s', 1));
    expect((await listed(viewer, first)).map(({ title }) => title).toSorted()).toEqual([
      'About f0',
      'About f1',
      'About old',
    ]);
    expect((await listed(viewer, first))[0]!.imported).toMatchObject({ source: 'chatgpt', importId: first });
    expect((await service.read(of(viewer, first))).here).toBe(3);
    expect((await service.read(of(viewer, second))).here).toBe(1);
    expect(await listed(aViewer(viewer.scope.orgId), first)).toEqual([]);
  });

  test('are deleted together and restored together, without those that were deleted before', async () => {
    const viewer = aViewer();
    const id = await imported(viewer, chats('d', 45));
    const other = await imported(viewer, chats('o', 1));
    const [gone] = await listed(viewer, id);
    await keeping.delete({ ...viewer, params: { conversationId: gone!.id } } as never);
    expect(await service.deleteChats(of(viewer, id))).toMatchObject({ chats: { state: 'deleting' } });
    await expect(service.delete(of(viewer, id))).rejects.toMatchObject({ code: 'platform.conflict' });
    await runJobs();
    expect(await service.read(of(viewer, id))).toMatchObject({
      here: 0,
      chats: { state: 'deleted', restorableUntil: expect.any(String) },
    });
    expect(await listed(viewer, other)).toHaveLength(1);
    expect(await service.restoreChats(of(viewer, id))).toMatchObject({ chats: { state: 'restoring' } });
    await runJobs();
    const back = await service.read(of(viewer, id));
    expect(back.here).toBe(44);
    expect(back).not.toHaveProperty('chats');
    expect((await listed(viewer, id)).map((chat) => chat.id)).not.toContain(gone!.id);
  });

  test('come back where the deletion is undone before its job has begun', async () => {
    const viewer = aViewer();
    const id = await imported(viewer, chats('u', 3));
    await service.deleteChats(of(viewer, id));
    await service.restoreChats(of(viewer, id));
    await runJobs();
    expect(await conversationsOf(viewer)).toHaveLength(3);
  });

  test('are deleted only by their owner, and only after the import has ended', async () => {
    const viewer = aViewer();
    const id = await bench.checked(viewer, chats('r', 1));
    await expect(service.deleteChats(of(viewer, id))).rejects.toMatchObject({ code: 'platform.conflict' });
    const other = aViewer(viewer.scope.orgId);
    await expect(service.deleteChats(of(other, id))).rejects.toMatchObject({ code: 'chat.import-not-found' });
  });

  test('are not restored where nothing was deleted with them', async () => {
    const viewer = aViewer();
    const id = await imported(viewer, chats('n', 1));
    expect(await service.restoreChats(of(viewer, id))).not.toHaveProperty('chats');
  });
});
