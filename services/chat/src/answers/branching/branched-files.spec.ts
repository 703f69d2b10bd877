import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { everywhere } from '../../chat-bench.spec-setup.ts';
import { filesBench } from '../../files-bench.spec-setup.ts';
import { ReadingPlaces } from '../../conversations/index.ts';
import { aViewer } from '../../viewer.spec-setup.ts';
import { BranchingService } from './branching.service.ts';

const bench = await filesBench();
const { conversations, access, messages, generations, paths, open, work, clock, mongo } = bench;
const reading = new ReadingPlaces(mongo);
const service = new BranchingService(conversations, access, messages, generations, paths, open, reading, work, clock);
beforeAll(bench.ready);

test('a copy has the same files, which stay when the source is gone', async () => {
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
  await bench.eraser.eraseAll();
  expect(await bench.left(viewer, id)).toEqual({ row: true, passages: 1, file: true });
});
