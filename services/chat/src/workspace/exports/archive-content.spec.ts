import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { exportsBench } from './exports-bench.spec-setup.ts';

const bench = await exportsBench();
const { aChat, exported, marking } = bench;
beforeAll(bench.ready);

type Marked = { readonly pinned?: boolean; readonly archived?: boolean };
async function marked(viewer: Viewer, wanted: Marked): Promise<ConversationId> {
  const { conversation } = await aChat(viewer);
  await marking.markMany({ ...viewer, body: { conversationIds: [conversation.id], ...wanted } } as never);
  return conversation.id;
}

test('an export of all that a person has contains archived and pinned chats, each once', async () => {
  const viewer = aViewer();
  const ids = [
    (await aChat(viewer)).conversation.id,
    await marked(viewer, { archived: true }),
    await marked(viewer, { pinned: true }),
  ];
  const { all, chats, names } = await exported(viewer);
  expect(chats.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  expect([all.chats, names.length]).toEqual([3, 7]);
});

test('an export contains a chat once that is archived while it is written', async () => {
  const viewer = aViewer();
  const { conversation } = await aChat(viewer);
  const find = bench.access.find.bind(bench.access);
  bench.access.find = async (...asked) => {
    bench.access.find = find;
    await marking.markMany({ ...viewer, body: { conversationIds: [conversation.id], archived: true } } as never);
    return find(...asked);
  };
  const { chats } = await exported(viewer);
  expect(chats.map(({ id }) => id)).toEqual([conversation.id]);
});
