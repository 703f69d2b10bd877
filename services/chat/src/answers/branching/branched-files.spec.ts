import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { everywhere } from '../../testing/chat-bench.spec-setup.ts';
import { filesBench } from '../../testing/files-bench.spec-setup.ts';
import { ReadingPlaces } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { BranchingService } from './branching.service.ts';
import { MessageCopies } from './message-copies.ts';

const bench = await filesBench();
const { conversations, access, messages, generations, paths, open, work, clock, mongo, uses } = bench;
const reading = new ReadingPlaces(mongo);
const copies = new MessageCopies(messages, generations, uses, work);
const service = new BranchingService(conversations, access, paths, open, reading, copies, bench.projects, work, clock);
beforeAll(bench.ready);

test('copies a chat with its files, which stay when the source is gone', async () => {
  const viewer = aViewer();
  const id = await bench.readyFile(viewer, ['Herons.']);
  const asked = await bench.ask(viewer, { files: [{ id, use: 'searched' }] });
  await bench.end(viewer, asked);
  const body = { id: newId('conversation'), messageId: asked.answer.id, copies: 'path' };
  await service.branch({ ...viewer, params: { conversationId: asked.conversation.id }, body } as never);
  const [copy] = await messages.page(viewer.scope, body.id, { before: undefined, limit: 2 });
  expect(copy!.files).toEqual(asked.message.files);
  const gone = await messages.findMany(viewer.scope, asked.conversation.id, [asked.message.id]);
  await work.run(viewer.principal, async (tx) => {
    await bench.keeping.erased(viewer.scope, { messages: gone, conversationId: null }, tx);
    await messages.delete(everywhere, [asked.message.id], tx);
  });
  await bench.eraseFiles();
  expect(await bench.left(viewer, id)).toEqual({ row: true, passages: 1, file: true });
});

/** Begins to erase files between the reading and the copying of their message. */
test('a copy leaves out files whose erasing has begun meanwhile', async () => {
  const viewer = aViewer();
  const [gone, kept] = [await bench.readyFile(viewer, ['Herons.']), await bench.readyFile(viewer, ['Storks.'])];
  const asked = await bench.ask(viewer, { files: [gone, kept].map((id) => ({ id, use: 'searched' as const })) });
  await bench.end(viewer, asked);
  const erasing = Object.assign(Object.create(messages) as typeof messages, {
    findMany: async (...given: Parameters<typeof messages.findMany>) => {
      const found = await messages.findMany(...given);
      const row = (await bench.fileRows.find(viewer.scope, gone))!;
      await work.run(viewer.principal, (tx) => bench.fileRows.beginErasing(viewer.scope, row, tx));
      return found;
    },
  });
  const copying = new MessageCopies(erasing, generations, uses, work);
  const between = new BranchingService(
    conversations,
    access,
    paths,
    open,
    reading,
    copying,
    bench.projects,
    work,
    clock,
  );
  const body = { id: newId('conversation'), messageId: asked.answer.id, copies: 'path' };
  const { version } = (await bench.fileRows.find(viewer.scope, kept))!;
  await between.branch({ ...viewer, params: { conversationId: asked.conversation.id }, body } as never);
  const [copy] = await messages.page(viewer.scope, body.id, { before: undefined, limit: 2 });
  expect(copy!.files!.map(({ id }) => id)).toEqual([kept]);
  // The copy gave the file's row a new version, so an erasure fails that read the row before the copy.
  expect((await bench.fileRows.find(viewer.scope, kept))!.version).toBeGreaterThan(version);
});
