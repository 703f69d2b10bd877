import { beforeAll, describe, expect, test } from '@jest/globals';
import type { FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { oneAttempt } from '@parley/testing';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { everywhere } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { checkFile } from './file-jobs.ts';
import { FileEraser } from './file-eraser.ts';
import { keepUnusedMs } from './file.ts';

const bench = await filesBench();
const { clock, eraseFiles, eraser, fileRows, left, list, readyFile, used, draft, work } = bench;
beforeAll(bench.ready);

const whole = { row: true, passages: 2, file: true };
const nothing = { row: false, passages: 0, file: false };
const put = (viewer: Viewer) => readyFile(viewer, ['Thirty herons.', 'Two storks.']);
const withFile = (id: FileId) => ({ files: [{ id, use: 'auto' as const }] });
const checkAt = async ({ scope }: Viewer, id: FileId) => (await fileRows.findAny(scope, id))?.checkAt ?? null;
async function afterADay(): Promise<void> {
  clock.advance(keepUnusedMs);
  await eraseFiles();
}

describe('a file that nothing refers to', () => {
  test('is erased with its passages, its bytes and its storage after a day, and not before', async () => {
    const viewer = aViewer();
    const id = await put(viewer);
    clock.advance(keepUnusedMs - 1);
    await eraseFiles();
    expect([await left(viewer, id), await used(viewer)]).toEqual([whole, 14]);
    clock.advance(1);
    await eraseFiles();
    expect([await left(viewer, id), await used(viewer)]).toEqual([nothing, 0]);
    expect(await bench.recounted(viewer)).toEqual({ before: 0, after: 0 });
  });

  test.each(['passages', 'bytes', 'row'])('is erased by the next process where one ended before its %s', async (at) => {
    const viewer = aViewer();
    const id = await put(viewer);
    clock.advance(keepUnusedMs);
    const ends = async (): Promise<never> => Promise.reject(new Error('the process ends here'));
    const passages = at === 'passages' ? { remove: ends } : bench.filePassages;
    const blobs = at === 'bytes' ? { delete: ends } : bench.blobs;
    const files = at === 'row' ? Object.assign(Object.create(fileRows) as object, { erase: ends }) : fileRows;
    const parts = [files, passages, bench.references, blobs, work, clock] as const;
    const dying = new FileEraser(...(parts as unknown as ConstructorParameters<typeof FileEraser>));
    const attempt = oneAttempt(bench, { job: checkFile, key: id, runner: dying });
    await expect(attempt).rejects.toThrow('the process ends here');
    expect(await list(viewer, id)).toEqual([]);
    await eraseFiles();
    expect([await left(viewer, id), await used(viewer)]).toEqual([nothing, 0]);
  });

  test('that is being read stays until its reader has ended or lost it', async () => {
    const viewer = aViewer();
    const { id } = await bench.upload(viewer);
    clock.advance(keepUnusedMs);
    const row = (await fileRows.find(viewer.scope, id))!;
    await fileRows.claim(viewer.scope, row, new Date(clock.now().getTime() + 1_000));
    await eraseFiles();
    expect((await left(viewer, id)).row).toBe(true);
    clock.advance(1_001);
    await eraseFiles();
    expect(await left(viewer, id)).toEqual(nothing);
  });

  test('stays where somebody refers to it after the job has read it', async () => {
    const viewer = aViewer();
    const id = await put(viewer);
    clock.advance(keepUnusedMs);
    const seen = await fileRows.findAny(viewer.scope, id);
    await bench.ask(viewer, withFile(id));
    expect(await eraser.check(seen!)).toBe(false);
    await eraseFiles();
    expect([await left(viewer, id), await checkAt(viewer, id)]).toEqual([whole, null]);
  });

  test('whose erasing has begun is neither sent, nor put into a draft, nor uploaded again', async () => {
    const viewer = aViewer();
    const id = await put(viewer);
    const row = (await fileRows.find(viewer.scope, id))!;
    await work.run(viewer.principal, (tx) => fileRows.beginErasing(viewer.scope, row, tx));
    const notFound = { code: 'chat.file-not-found' };
    await expect(bench.ask(viewer, withFile(id))).rejects.toMatchObject(notFound);
    expect((await draft(viewer, { files: [id] })).files).toBeUndefined();
    await expect(bench.download(viewer, id)).rejects.toMatchObject(notFound);
    await expect(bench.upload(viewer, { id })).rejects.toMatchObject({ code: 'platform.conflict' });
  });
});

describe('a file in a draft', () => {
  test('stays with it, and goes when the draft lets go of it', async () => {
    const viewer = aViewer();
    const id = await put(viewer);
    const { revision, files } = await draft(viewer, { text: 'see', files: [id] });
    expect(files).toEqual([id]);
    await afterADay();
    expect([await left(viewer, id), await checkAt(viewer, id)]).toEqual([whole, null]);
    const kept = await draft(viewer, { text: 'see this', revision });
    expect(kept.files).toEqual([id]);
    const without = await draft(viewer, { text: 'see this', revision: kept.revision, files: [] });
    expect(without.files).toBeUndefined();
    await eraseFiles();
    expect(await left(viewer, id)).toEqual(nothing);
  });

  test('goes with a draft that is dropped, and stays with a question that was sent', async () => {
    const viewer = aViewer();
    const [dropped, sent] = [await put(viewer), await put(viewer)];
    await draft(viewer, { files: [dropped, sent] });
    await bench.ask(viewer, withFile(sent));
    await bench.dropDraft(viewer);
    expect((await bench.readDraft(viewer)).files).toBeUndefined();
    await eraseFiles();
    expect([await left(viewer, dropped), await left(viewer, sent)]).toEqual([nothing, whole]);
  });

  test('is one of its person: what others have, and what there is not, is left out', async () => {
    const viewer = aViewer();
    const [id, theirs] = [await put(viewer), await put(aViewer(viewer.scope.orgId))];
    expect((await draft(viewer, { files: [theirs, newId('file'), id] })).files).toEqual([id]);
  });

  test('stays where another device, which has not seen it, types and attaches', async () => {
    const viewer = aViewer();
    const [phone, desk] = [await put(viewer), await put(viewer)];
    const { revision } = await draft(viewer, { text: 'see', writer: 'desk' });
    await draft(viewer, { text: 'see', revision, files: [phone], writer: 'phone' });
    const typed = await draft(viewer, { text: 'see this', revision, files: [desk], writer: 'desk' });
    expect(typed.files).toEqual([desk, phone]);
    const without = { text: 'see this', revision: typed.revision, files: [desk], writer: 'desk' };
    expect((await draft(viewer, without)).files).toEqual([desk]);
    await eraseFiles();
    expect([await left(viewer, desk), await left(viewer, phone)]).toEqual([whole, nothing]);
  });

  test('of two devices at once are both kept', async () => {
    const viewer = aViewer();
    const [one, other] = [await put(viewer), await put(viewer)];
    await draft(viewer, { text: 'a', files: [one], writer: 'page 1' });
    expect((await draft(viewer, { text: 'b', files: [other], writer: 'page 2' })).files).toEqual([other, one]);
  });
});

describe('a file of messages', () => {
  test('goes when the last message that has it is erased for good', async () => {
    const viewer = aViewer();
    const id = await put(viewer);
    const first = await bench.ask(viewer, withFile(id));
    await bench.end(viewer, first);
    const second = await bench.ask(viewer, { ...withFile(id), conversationId: first.conversation.id });
    await bench.end(viewer, second);
    await afterADay();
    const erase = async (messageId: string) => {
      const row = { _id: messageId, orgId: viewer.scope.orgId };
      await work.run(viewer.principal, async (tx) => {
        const [message] = await bench.messages.findMany(viewer.scope, first.conversation.id, [row._id as never]);
        await bench.keeping.erased(viewer.scope, { messages: [message!], conversationId: null }, tx);
        await bench.messages.delete(everywhere, [row._id as never], tx);
      });
      await eraseFiles();
    };
    await erase(second.message.id);
    expect(await left(viewer, id)).toEqual(whole);
    await erase(first.message.id);
    expect([await left(viewer, id), await used(viewer)]).toEqual([nothing, 0]);
  });

  test('of a draft goes when its chat is erased for good', async () => {
    const viewer = aViewer();
    const id = await put(viewer);
    const { conversation } = await bench.ask(viewer);
    await draft(viewer, { files: [id] }, conversation.id);
    await work.run(viewer.principal, (tx) =>
      bench.keeping.erased(viewer.scope, { messages: [], conversationId: conversation.id }, tx),
    );
    const drafts = bench.mongo.connection.collection('drafts');
    await drafts.deleteMany({ conversationId: conversation.id });
    await eraseFiles();
    expect(await left(viewer, id)).toEqual(nothing);
  });
});
