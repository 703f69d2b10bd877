import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import type { Viewer } from '../../conversations/index.ts';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await treeBench();
const { deleting, lines, listing } = bench;
beforeAll(bench.ready);

const ask = async (viewer: Viewer, more: { text: string; conversationId?: ConversationId; parentId?: MessageId }) => {
  const asked = await bench.ask(viewer, more);
  await bench.end(viewer, asked, `About ${more.text}`);
  return asked;
};
const remove = (viewer: Viewer, conversationId: ConversationId, messageId: MessageId) =>
  deleting.delete({ ...viewer, params: { conversationId, messageId } } as never);
/** Reads the conversation as one path, and as the flat list of all its messages. */
const read = async (viewer: Viewer, conversationId: ConversationId) => {
  const call = { ...viewer, params: { conversationId }, query: { limit: 50 } } as never;
  const [path, line] = [await listing.list(call), await lines.list(call)];
  return [path.items, line.items.filter(({ isDeleted }) => !isDeleted)].map((some) => some.map(({ text }) => text));
};

/** Creates a chat without edits and second answers: it has only one path. */
async function aLine() {
  const viewer = aViewer();
  const first = await ask(viewer, { text: 'herons' });
  const { id: conversationId } = first.conversation;
  const second = await ask(viewer, { text: 'storks', conversationId, parentId: first.answer.id });
  return { viewer, conversationId, first, second };
}

describe('a chat without branches after its last question was deleted', () => {
  const kept = ['herons', 'About herons', 'cranes', 'About cranes'];

  test('places the next question below the last remaining answer if the answer is named as its parent', async () => {
    const { viewer, conversationId, first, second } = await aLine();
    await remove(viewer, conversationId, second.message.id);
    const next = await ask(viewer, { text: 'cranes', conversationId, parentId: first.answer.id });
    expect(next.message.parentId).toBe(first.answer.id);
    expect(await read(viewer, conversationId)).toEqual([kept, kept]);
  });

  test('places a question without a named parent below the last remaining answer', async () => {
    const { viewer, conversationId, first, second } = await aLine();
    await remove(viewer, conversationId, second.message.id);
    const next = await ask(viewer, { text: 'cranes', conversationId });
    expect(next.message.parentId).toBe(first.answer.id);
    expect(await read(viewer, conversationId)).toEqual([kept, kept]);
  });

  test('refuses a question below a deleted one, also if that one was restored before and deleted again', async () => {
    const { viewer, conversationId, first, second } = await aLine();
    const which = { ...viewer, params: { conversationId, messageId: second.message.id } } as never;
    await deleting.delete(which);
    await deleting.restore(which);
    const third = await ask(viewer, { text: 'egrets', conversationId });
    expect(third.message.parentId).toBe(second.answer.id);
    await deleting.delete(which);
    const below = ask(viewer, { text: 'cranes', conversationId, parentId: third.answer.id });
    await expect(below).rejects.toMatchObject({ code: 'chat.message-not-found' });
    await ask(viewer, { text: 'cranes', conversationId, parentId: first.answer.id });
    expect(await read(viewer, conversationId)).toEqual([kept, kept]);
  });
});
