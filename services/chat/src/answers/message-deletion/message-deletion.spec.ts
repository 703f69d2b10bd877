import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { MessageDeletionService } from './message-deletion.service.ts';

const bench = await chatBench();
const { conversations, keeping, access, messages, paths, open, work, clock } = bench;
const service = new MessageDeletionService(conversations, keeping, access, messages, paths, open, work, clock);
beforeAll(bench.ready);

type Asked = { readonly text: string; readonly parentId?: MessageId | null; readonly conversationId?: ConversationId };
const send = (viewer: Viewer, { conversationId = newId('conversation'), parentId, text }: Asked) => {
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  return bench.sending.send(viewer, { conversationId, ...ids, text, ...(parentId !== undefined && { parentId }) });
};
const ask = async (viewer: Viewer, asked: Asked) => {
  const sent = await send(viewer, asked);
  await bench.end(viewer, sent);
  return sent;
};
const call = (viewer: Viewer, conversationId: ConversationId, messageId: MessageId) =>
  ({ ...viewer, params: { conversationId, messageId } }) as never;

/** Creates an edited question, whose first version has a second question below its answer. */
async function branched() {
  const viewer = aViewer();
  const first = await ask(viewer, { text: 'herons' });
  const conversationId = first.conversation.id;
  const second = await ask(viewer, { text: 'storks', conversationId, parentId: first.answer.id });
  const edited = await ask(viewer, { text: 'cranes', conversationId, parentId: null });
  const which = (id: MessageId) => call(viewer, conversationId, id);
  const read = async () => (await conversations.find(viewer.scope, conversationId))!;
  return { viewer, conversationId, first, second, edited, which, read };
}

describe('deleting a message', () => {
  test('hides everything below a message on each branch, returns the count, and leads to the remaining messages', async () => {
    const { first, second, edited, which, read } = await branched();
    expect(await service.delete(which(edited.message.id))).toEqual({ leafId: second.answer.id });
    expect(await service.delete(which(second.message.id))).toEqual({ leafId: first.answer.id });
    expect(await read()).toMatchObject({ deletions: 2, lastAnswerId: first.answer.id });
    expect(await service.delete(which(first.message.id))).toEqual({ leafId: null });
  });

  test('publishes the message’s id once however often the deletion is requested, and can be undone', async () => {
    const { viewer, conversationId, second, which, read } = await branched();
    await service.delete(which(second.message.id));
    await service.delete(which(second.message.id));
    const { sequence } = await read();
    await expect(service.delete(which(second.answer.id))).rejects.toMatchObject({ code: 'chat.message-not-found' });
    expect(await service.restore(which(second.message.id))).toEqual({ leafId: second.answer.id });
    await service.restore(which(second.message.id));
    expect(await read()).toMatchObject({ deletions: 0, sequence: sequence + 1 });
    const told = (await bench.eventsOf(conversationId)).filter(({ type }) => /deleted|restored/.test(type));
    expect(told.map(({ type, data }) => [type, (data as { messageId: MessageId }).messageId])).toEqual([
      ['message.deleted.v1', second.message.id],
      ['message.restored.v1', second.message.id],
    ]);
    expect(JSON.stringify(told)).not.toContain('storks');
    await expect(service.delete(call(aViewer(), conversationId, second.message.id))).rejects.toMatchObject({
      code: 'chat.conversation-not-found',
    });
    await expect(service.delete(call(viewer, conversationId, newId('message')))).rejects.toMatchObject({
      code: 'chat.message-not-found',
    });
  });

  test('lists deleted messages for people who can restore them, last deleted first, for 7 days', async () => {
    const { viewer, conversationId, second, edited, which } = await branched();
    const list = (who = viewer) => service.list({ ...who, params: { conversationId } } as never);
    expect(await list()).toEqual({ items: [] });
    await service.delete(which(second.message.id));
    clock.advance(1);
    await service.delete(which(edited.answer.id));
    const { items } = await list();
    expect(items.map(({ id }) => id)).toEqual([edited.answer.id, second.message.id]);
    expect(items[1]).toMatchObject({ role: 'person', text: 'storks' });
    expect(Date.parse(items[1]!.eraseAt) - Date.parse(items[1]!.deletedAt)).toBe(keepDeletedMs);
    await service.restore(which(second.message.id));
    expect((await list()).items).toHaveLength(1);
    await expect(list(aViewer())).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
  });

  test('stops an answer that runs below the deleted message, and no other', async () => {
    const { viewer, conversationId, first, second, edited, which } = await branched();
    const running = await send(viewer, { text: 'egrets', conversationId, parentId: second.answer.id });
    await service.delete(which(edited.message.id));
    expect((await bench.find(viewer, running)).stopRequested).toBe(false);
    await service.delete(which(first.answer.id));
    expect((await bench.find(viewer, running)).stopRequested).toBe(true);
    await bench.end(viewer, running, { status: 'stopped' });
  });

  test('refuses questions below a deleted message', async () => {
    const { viewer, conversationId, first, second, edited, which } = await branched();
    await service.delete(which(first.message.id));
    for (const parentId of [first.answer.id, second.answer.id])
      await expect(ask(viewer, { text: 'egrets', conversationId, parentId })).rejects.toMatchObject({
        code: 'chat.message-not-found',
      });
    const after = await ask(viewer, { text: 'egrets', conversationId });
    expect(after.message.parentId).toBe(edited.answer.id);
  });
});
