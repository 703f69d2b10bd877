import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { BranchingService } from './branching.service.ts';
import { MessageCopies } from './message-copies.ts';

const bench = await treeBench();
const { conversations, access, messages, generations, paths, open, reading, work, clock, keeping, listing, uses } =
  bench;
const copies = new MessageCopies(messages, generations, uses, work);
const service = new BranchingService(conversations, access, paths, open, reading, copies, bench.projects, work, clock);
beforeAll(bench.ready);

type Asked = { readonly text: string; readonly parentId?: MessageId | null; readonly conversationId?: ConversationId };
const send = (viewer: Viewer, { conversationId = newId('conversation'), parentId, text }: Asked) => {
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  return bench.sending.send(viewer, { conversationId, ...ids, text, ...(parentId !== undefined && { parentId }) });
};
const ask = async (viewer: Viewer, asked: Asked) => {
  const sent = await send(viewer, asked);
  await bench.end(viewer, sent, `About ${asked.text}`);
  return sent;
};
const branch = (viewer: Viewer, conversationId: ConversationId, body: object) =>
  service.branch({
    ...viewer,
    params: { conversationId },
    body: { id: newId('conversation'), copies: 'path', ...body },
  } as never);
const read = async (viewer: Viewer, conversationId: ConversationId, query: object = {}) =>
  listing.list({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } } as never);
const textsOf = async (viewer: Viewer, conversationId: ConversationId, query?: object) =>
  (await read(viewer, conversationId, query)).items.map(({ text }) => text);

async function branched() {
  const viewer = aViewer();
  const first = await ask(viewer, { text: 'herons' });
  const conversationId = first.conversation.id;
  const second = await ask(viewer, { text: 'storks', conversationId, parentId: first.answer.id });
  const edited = await ask(viewer, { text: 'cranes', conversationId, parentId: null });
  return { viewer, conversationId, first, second, edited };
}

describe('branching to a new chat', () => {
  test('copies the path with times and authors, and names its source', async () => {
    const { viewer, conversationId, first, second } = await branched();
    const copy = await branch(viewer, conversationId, { messageId: first.answer.id });
    expect(copy).toMatchObject({
      branchedFrom: { conversationId, messageId: first.answer.id },
      title: 'herons',
      running: false,
    });
    expect(await textsOf(viewer, copy.id)).toEqual(['herons', 'About herons']);
    const [question, answer] = (await read(viewer, copy.id)).items;
    expect(question).toMatchObject({ createdAt: first.message.createdAt, author: first.message.author, depth: 1 });
    expect(answer?.generation).toMatchObject({ status: 'done', usage: { inputTokens: 3 } });
    expect(await textsOf(viewer, conversationId, { leaf: second.answer.id })).toHaveLength(4);
    const next = await ask(viewer, { text: 'egrets', conversationId: copy.id, parentId: answer!.id });
    expect(await textsOf(viewer, copy.id)).toEqual(['herons', 'About herons', 'egrets', 'About egrets']);
    expect((await bench.find(viewer, next)).attempts).toHaveLength(1);
  });

  test('names the source by its current title, and by none once the source was deleted', async () => {
    const { viewer, conversationId, first } = await branched();
    const messageId = first.answer.id;
    const { id } = await branch(viewer, conversationId, { messageId });
    const from = async (query?: object) => (await read(viewer, id, query)).branchedFrom;
    expect(await from()).toEqual({ conversationId, messageId, title: 'herons' });
    const params = { conversationId };
    await keeping.rename({ ...viewer, params, body: { title: 'Waders', version: 1 } } as never);
    expect(await from()).toEqual({ conversationId, messageId, title: 'Waders' });
    await keeping.delete({ ...viewer, params } as never);
    expect(await from()).toEqual({ conversationId, messageId, title: null });
    // A request for changes only (`after`) doesn't load the source's title.
    expect(await from({ after: 1 })).toEqual({ conversationId, messageId });
  });

  test('copies all branches without deleted messages and the messages below them', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const third = await ask(viewer, { text: 'ibises', conversationId, parentId: second.answer.id });
    const remove = (messageId: MessageId) =>
      bench.deleting.delete({ ...viewer, params: { conversationId, messageId } } as never);
    await remove(edited.message.id);
    await remove(third.message.id);
    const all = await branch(viewer, conversationId, { messageId: first.answer.id, copies: 'all' });
    const copied = await messages.page(viewer.scope, all.id, { before: undefined, limit: 100 });
    expect(copied.map(({ text }) => text)).toEqual(['herons', 'About herons', 'storks', 'About storks']);
    expect((await read(viewer, all.id)).versions).toEqual([]);
  });

  test('copies all branches, and bills none of their answers again', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const all = await branch(viewer, conversationId, { messageId: second.answer.id, copies: 'all' });
    const { items, versions } = await read(viewer, all.id);
    expect(items.map(({ text }) => text)).toEqual(['herons', 'About herons', 'storks', 'About storks']);
    expect(versions).toEqual([{ parentId: null, ids: [items[0]!.id, expect.stringMatching(/^msg_/)] }]);
    expect(await textsOf(viewer, all.id, { through: versions[0]!.ids[1] })).toEqual(['cranes', 'About cranes']);
    const copied = await generations.findMany(
      viewer.scope,
      items.flatMap(({ generation }) => generation?.id ?? []),
    );
    expect(copied.map(({ attempts }) => attempts)).toEqual([[], []]);
    expect((await bench.eventsOf(all.id)).map(({ type }) => type)).toEqual(['conversation.changed.v1']);
    expect([first, edited].map(({ message }) => message.id)).not.toContain(items[0]!.id);
  });

  test('hides an interrupted copy, and completes it when the request is repeated', async () => {
    const { viewer, conversationId, second } = await branched();
    const id = newId('conversation');
    const wish = { id, messageId: second.answer.id };
    jest.spyOn(conversations, 'finishCopy').mockRejectedValueOnce(new Error('killed'));
    await expect(branch(viewer, conversationId, wish)).rejects.toThrow('killed');
    jest.restoreAllMocks();
    const which = { ...viewer, params: { conversationId: id } } as never;
    await expect(keeping.read(which)).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
    await expect(keeping.restore(which)).rejects.toMatchObject({ code: 'chat.conversation-erased' });
    const [once, twice] = [await branch(viewer, conversationId, wish), await branch(viewer, conversationId, wish)];
    expect(twice).toEqual(once);
    expect(await textsOf(viewer, id)).toEqual(['herons', 'About herons', 'storks', 'About storks']);
    await expect(branch(viewer, conversationId, { ...wish, messageId: second.message.id })).rejects.toMatchObject({
      code: 'platform.conflict',
    });
  });

  test('lets people who can read the chat branch it, at a complete message of the chat', async () => {
    const { viewer, conversationId, second } = await branched();
    await expect(branch(aViewer(), conversationId, { messageId: second.answer.id })).rejects.toMatchObject({
      code: 'chat.conversation-not-found',
    });
    await expect(branch(viewer, conversationId, { messageId: newId('message') })).rejects.toMatchObject({
      code: 'chat.message-not-found',
    });
    const running = await send(viewer, { text: 'egrets', conversationId, parentId: second.answer.id });
    await expect(branch(viewer, conversationId, { messageId: running.answer.id })).rejects.toMatchObject({
      code: 'chat.generation-running',
    });
    await bench.end(viewer, running);
  });

  test('copies a long chat in batches', async () => {
    const viewer = aViewer();
    let last = await ask(viewer, { text: 'question 1' });
    const conversationId = last.conversation.id;
    for (let number = 2; number <= 12; number += 1)
      last = await ask(viewer, { text: `question ${number}`, conversationId, parentId: last.answer.id });
    const created = jest.spyOn(messages, 'create');
    const copy = await branch(viewer, conversationId, { messageId: last.answer.id });
    expect(new Set(created.mock.calls.map(([, , tx]) => tx)).size).toBe(2);
    jest.restoreAllMocks();
    expect(await textsOf(viewer, copy.id)).toHaveLength(24);
  });
});
