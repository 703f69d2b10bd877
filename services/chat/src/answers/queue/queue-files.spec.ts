import { beforeAll, expect, test } from '@jest/globals';
import type { FileId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import type { Viewer } from '../../conversations/index.ts';
import { holdFiles, putFile } from '../../testing/files-bench.spec-setup.ts';
import { queueBench } from './queue-bench.spec-setup.ts';

const bench = await queueBench();
const { add, busy, clock, endRunning, fileRows, ids, read, references, remove, rows, work } = bench;
holdFiles(bench);
beforeAll(bench.ready);

const store = (viewer: Viewer, isRead = true) => putFile(bench, viewer, isRead);
const isReferred = ({ scope }: Viewer, id: FileId) => work.run(job('tests'), (tx) => references.has(scope, id, tx));
const checkAt = async ({ scope }: Viewer, id: FileId) => (await fileRows.find(scope, id))!.checkAt;

/** Creates a chat with a waiting question that has a file. */
async function waiting() {
  const chat = await busy();
  const fileId = await store(chat.viewer);
  const body = { kind: 'question', messageId: newId('message'), parentId: chat.answer.id, text: '', ...ids() } as const;
  await add(chat.viewer, chat.id, { ...body, files: [{ id: fileId, use: 'auto' }] });
  return { ...chat, fileId, body };
}

test('asks a queued question with its file', async () => {
  const { viewer, id, fileId, body } = await waiting();
  const file = { id: fileId, name: 'Plan.txt', mediaType: 'text/plain', bytes: 9 };
  expect((await read(viewer, id)).items).toMatchObject([{ text: '', files: [{ ...file, use: 'auto' }] }]);
  expect(await isReferred(viewer, fileId)).toBe(true);
  await endRunning(viewer, id);
  const conversation = (await bench.conversations.find(viewer.scope, id))!;
  expect(await bench.aStarter().startNext(conversation)).toBe('started');
  const [question] = await bench.messages.findMany(viewer.scope, id, [body.messageId]);
  expect(question!.files).toEqual([{ ...file, use: 'whole', tokens: 2, passageCount: 1 }]);
  expect(await isReferred(viewer, fileId)).toBe(true);
});

test('asks a queued answer with a note of the images if it was requested so', async () => {
  const { viewer, id, message, answer } = await busy();
  const wish = { kind: 'again', parentId: message.id, images: 'note', ...ids() } as const;
  await add(viewer, id, wish);
  expect((await read(viewer, id)).items).toMatchObject([{ kind: 'again', images: 'note' }]);
  await endRunning(viewer, id);
  const conversation = (await bench.conversations.find(viewer.scope, id))!;
  expect(await bench.aStarter().startNext(conversation)).toBe('started');
  const imagesOf = async (ofAnswer: Parameters<typeof bench.find>[1]) => (await bench.find(viewer, ofAnswer)).images;
  const again = { answer: { generation: { id: wish.generationId } } } as never;
  expect([await imagesOf(again), await imagesOf({ answer })]).toEqual(['note', undefined]);
});

test('refuses a queued question whose file isn’t ready or is missing', async () => {
  const { viewer, id, answer } = await busy();
  const body = { kind: 'question', messageId: newId('message'), parentId: answer.id, text: 'x', ...ids() } as const;
  const files = (fileId: FileId) => ({ ...body, files: [{ id: fileId, use: 'auto' }] });
  await expect(add(viewer, id, files(await store(viewer, false)))).rejects.toMatchObject({
    code: 'chat.file-not-ready',
  });
  await expect(add(viewer, id, files(newId('file')))).rejects.toMatchObject({ code: 'chat.file-not-found' });
  expect((await read(viewer, id)).items).toEqual([]);
});

test('keeps the files of an edited question, or replaces them with the given ones', async () => {
  const { viewer, id, fileId, body } = await waiting();
  const other = await store(viewer);
  const edit = (change: object) => bench.edit(viewer, id, body.messageId, change as never);
  expect((await edit({ version: 1, text: 'more' })).files).toMatchObject([{ id: fileId }]);
  expect((await edit({ version: 2, text: '', files: [{ id: other, use: 'searched' }] })).files).toMatchObject([
    { id: other, use: 'searched' },
  ]);
  expect([await isReferred(viewer, fileId), await isReferred(viewer, other)]).toEqual([false, true]);
  const nothing = { code: 'platform.invalid-request' };
  await expect(edit({ version: 3, text: '', files: [] })).rejects.toMatchObject(nothing);
  expect(await isReferred(viewer, other)).toBe(true);
  await bench.withdraw(viewer, id, body.messageId);
  expect(await isReferred(viewer, other)).toBe(false);
  expect((await checkAt(viewer, other))!.getTime()).toBeGreaterThan(clock.now().getTime());
});

test('returns a question below a deleted message to the draft with its files', async () => {
  const { viewer, id, fileId, message } = await waiting();
  await remove(viewer, id, message.id);
  expect(await rows.list(viewer.scope, id)).toEqual([]);
  expect(await bench.draft(viewer, id)).toMatchObject({ text: '', files: [fileId] });
  expect(await isReferred(viewer, fileId)).toBe(true);
});
