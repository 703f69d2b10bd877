import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { job, type Work } from '@parley/platform/work';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { filesBench, quotaBytes } from '../../testing/files-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await filesBench();
const { upload, list, retry, download, used, clock, work, fileRows } = bench;
beforeAll(bench.ready);

const notFound = { code: 'chat.file-not-found' };
const conflict = { code: 'platform.conflict' };

describe('a file', () => {
  test('is stored with its size, told to its owner, and nothing of its name or text is told', async () => {
    const viewer = aViewer();
    const { orgId } = viewer.scope;
    const { userId } = viewer.principal;
    const file = await upload(viewer, { name: 'a/b/Plan.txt' });
    expect(file).toEqual({
      id: file.id,
      name: 'Plan.txt',
      mediaType: 'text/plain',
      bytes: 14,
      status: 'stored',
      failure: null,
      progress: null,
      tokens: null,
      pages: null,
      image: null,
      passageCount: 0,
      createdAt: clock.now().toISOString(),
      version: 1,
    });
    expect(await used(viewer)).toBe(14);
    const told = (await bench.recorded()).filter(({ subject }) => subject === file.id);
    expect(told.map(({ type, data }) => [type, data])).toEqual([
      ['files.changed.v1', { orgId, userId, fileId: file.id, status: 'stored' }],
    ]);
  });

  test('that is uploaded again under its id is the one that is there', async () => {
    const viewer = aViewer();
    const file = await upload(viewer);
    expect(await upload(viewer, { id: file.id, name: 'Other.md', text: 'Storks.' })).toEqual(file);
    expect(await textOf((await download(viewer, file.id)).content as Readable)).toBe('Thirty herons.');
    expect(await used(viewer)).toBe(14);
  });

  test('keeps its id: nobody else can use it, in this organisation or another one', async () => {
    const viewer = aViewer();
    const { id } = await upload(viewer);
    for (const other of [aViewer(viewer.scope.orgId), aViewer()])
      await expect(upload(other, { id, text: 'Storks.' })).rejects.toMatchObject(conflict);
    expect(await textOf((await download(viewer, id)).content as Readable)).toBe('Thirty herons.');
  });

  test('of two persons who send it at once under one id is one person’s', async () => {
    const [one, other] = [aViewer(), aViewer()];
    const id = newId('file');
    const both = await Promise.allSettled([upload(one, { id }), upload(other, { id })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('is refused where its kind is not read, it is empty, or too large for the quota', async () => {
    const viewer = aViewer();
    await expect(upload(viewer, { name: 'Plan.exe' })).rejects.toMatchObject({
      code: 'chat.document-type-not-supported',
    });
    await expect(upload(viewer, { text: '' })).rejects.toMatchObject({ code: 'chat.document-empty' });
    const full = { code: 'chat.storage-quota-reached' };
    await expect(upload(viewer, { text: 'x'.repeat(quotaBytes + 1) })).rejects.toMatchObject(full);
    await upload(viewer, { text: 'x'.repeat(quotaBytes) });
    await expect(upload(viewer)).rejects.toMatchObject(full);
    expect(await used(viewer)).toBe(quotaBytes);
  });

  test('whose process ended between its bytes and its row is there once it is sent again, and counted once', async () => {
    const viewer = aViewer();
    const id = newId('file');
    const dying = { run: async () => Promise.reject(new Error('the process ends here')) } as unknown as Work;
    const sent = { ...viewer, query: { id, name: 'Plan.txt' }, request: Readable.from([Buffer.from('Herons.')]) };
    await expect(bench.aService(dying).upload(sent as never)).rejects.toThrow('the process ends here');
    expect([await list(viewer, id), await used(viewer)]).toEqual([[], 0]);
    await upload(viewer, { id });
    expect(await list(viewer, id)).toMatchObject([{ id, bytes: 14 }]);
    expect(await bench.recounted(viewer)).toEqual({ before: 14, after: 14 });
  });

  test('is listed for its owner only, in the order that was asked for; what is missing is left out', async () => {
    const viewer = aViewer();
    const [first, second] = [await upload(viewer), await upload(viewer)];
    const colleague = aViewer(viewer.scope.orgId);
    const theirs = await upload(colleague);
    const ids = [second.id, newId('file'), theirs.id, first.id, second.id];
    expect((await list(viewer, ...ids)).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(await list(aViewer(), ...ids)).toEqual([]);
  });

  test('that has failed is read again when its owner wants it, and nobody else', async () => {
    const viewer = aViewer();
    const { scope } = viewer;
    const { id } = await upload(viewer);
    expect(await retry(viewer, id)).toMatchObject({ status: 'stored', version: 1 });
    const held = (await fileRows.claim(scope, (await fileRows.find(scope, id))!, new Date()))!;
    const end = { status: 'failed', failure: 'scanned' } as const;
    await work.run(job('tests'), (tx) => fileRows.finish(scope, held, end, tx));
    for (const other of [aViewer(scope.orgId), aViewer()])
      await expect(retry(other, id)).rejects.toMatchObject(notFound);
    expect(await list(viewer, id)).toMatchObject([{ status: 'failed', failure: 'scanned' }]);
    expect(await retry(viewer, id)).toMatchObject({ status: 'stored', failure: null });
    await expect(retry(viewer, newId('file'))).rejects.toMatchObject(notFound);
  });

  test('is given to its owner, and to nobody who cannot read a chat with it', async () => {
    const viewer = aViewer();
    const id = await bench.readyFile(viewer, ['Thirty herons.'], 'Plan.txt');
    await bench.ask(viewer, { files: [{ id, use: 'auto' }] });
    const { name, content } = await download(viewer, id);
    expect([name, await textOf(content as Readable)]).toEqual(['Plan.txt', 'Thirty herons.']);
    for (const other of [aViewer(viewer.scope.orgId), aViewer()])
      await expect(download(other, id)).rejects.toMatchObject(notFound);
    await expect(download(viewer, newId('file'))).rejects.toMatchObject(notFound);
  });

  test('is given to whoever can read a chat with it, until that is deleted', async () => {
    const viewer = aViewer();
    const id = await bench.readyFile(viewer, ['Thirty herons.']);
    const { conversation, message } = await bench.ask(viewer, { files: [{ id, use: 'auto' }] });
    expect(message.files).toMatchObject([{ id, name: 'Plan.txt', use: 'whole' }]);
    // Until chats are shared, nobody else reads one: so the file becomes somebody else's, as no route does it.
    const files = bench.mongo.connection.collection<{ _id: string; userId: string }>('chat_files');
    await files.updateOne({ _id: id }, { $set: { userId: newId('user') } });
    expect((await download(viewer, id)).name).toBe('Plan.txt');
    await expect(download(aViewer(viewer.scope.orgId), id)).rejects.toMatchObject(notFound);
    await bench.keeping.delete({ ...viewer, params: { conversationId: conversation.id } } as never);
    await expect(download(viewer, id)).rejects.toMatchObject(notFound);
  });
});
