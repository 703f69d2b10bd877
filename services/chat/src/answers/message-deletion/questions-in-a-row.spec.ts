import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { Viewer } from '../../conversations/index.ts';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await treeBench();
const { branching, deleting, messages, told } = bench;
beforeAll(bench.ready);

type Asked = { readonly text: string; readonly parentId?: MessageId | null; readonly conversationId?: ConversationId };
const send = (viewer: Viewer, { conversationId = newId('conversation'), parentId, text }: Asked) => {
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  return bench.sending.send(viewer, { conversationId, ...ids, text, ...(parentId !== undefined && { parentId }) });
};
const ask = async (viewer: Viewer, asked: Asked, end?: Parameters<typeof bench.end>[2]) => {
  const sent = await send(viewer, asked);
  await bench.end(viewer, sent, end ?? `About ${asked.text}`);
  return sent;
};
const remove = (viewer: Viewer, conversationId: ConversationId, messageId: MessageId) =>
  deleting.delete({ ...viewer, params: { conversationId, messageId } } as never);
const restore = (viewer: Viewer, conversationId: ConversationId, messageId: MessageId) =>
  deleting.restore({ ...viewer, params: { conversationId, messageId } } as never);
const textsOf = async (viewer: Viewer, conversationId: ConversationId, query: object = {}) =>
  (
    await bench.listing.list({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } } as never)
  ).items.map(({ text }) => text);
/** Creates a chat whose only answer was deleted. */
async function unanswered(end?: Parameters<typeof bench.end>[2]) {
  const viewer = aViewer();
  const first = await ask(viewer, { text: 'herons' }, end);
  const conversationId = first.conversation.id;
  await remove(viewer, conversationId, first.answer.id);
  return { viewer, conversationId, first };
}

describe('questions without their deleted answer', () => {
  test('sends the model a question without an answer and the next question in one turn', async () => {
    const { viewer, conversationId, first } = await unanswered();
    const next = await ask(viewer, { conversationId, parentId: first.message.id, text: 'storks' });
    expect(next.message.parentId).toBe(first.message.id);
    expect(await textsOf(viewer, conversationId)).toEqual(['herons', 'storks', 'About storks']);
    expect(await told(viewer, next)).toEqual(['user: herons\n\nstorks']);
    const third = await ask(viewer, { conversationId, parentId: next.answer.id, text: 'cranes' });
    expect(await told(viewer, third)).toEqual(['user: herons\n\nstorks', 'assistant: About storks', 'user: cranes']);
  });

  test('continues a chat below its last question if no parent is named', async () => {
    const { viewer, conversationId, first } = await unanswered();
    const next = await ask(viewer, { conversationId, text: 'storks' });
    expect(next.message.parentId).toBe(first.message.id);
    expect(await textsOf(viewer, conversationId)).toEqual(['herons', 'storks', 'About storks']);
  });

  test('accepts a question below one whose deleted answer had failed', async () => {
    const failed = { status: 'failed', text: '', failure: 'provider-cut' } as const;
    const { viewer, conversationId, first } = await unanswered(failed);
    const next = await ask(viewer, { conversationId, parentId: first.message.id, text: 'storks' });
    expect(await told(viewer, next)).toEqual(['user: herons\n\nstorks']);
  });

  test('restores a deleted answer beside the question that followed', async () => {
    const { viewer, conversationId, first } = await unanswered();
    const next = await ask(viewer, { conversationId, parentId: first.message.id, text: 'storks' });
    await restore(viewer, conversationId, first.answer.id);
    expect(await textsOf(viewer, conversationId, { leaf: first.answer.id })).toEqual(['herons', 'About herons']);
    const other = { through: next.message.id };
    expect(await textsOf(viewer, conversationId, other)).toEqual(['herons', 'storks', 'About storks']);
  });

  test('accepts any number of questions in a row whose answers are deleted, and versions of each', async () => {
    const { viewer, conversationId, first } = await unanswered();
    const second = await ask(viewer, { conversationId, parentId: first.message.id, text: 'storks' });
    await remove(viewer, conversationId, second.answer.id);
    const third = await ask(viewer, { conversationId, parentId: second.message.id, text: 'cranes' });
    expect(await told(viewer, third)).toEqual(['user: herons\n\nstorks\n\ncranes']);
    await remove(viewer, conversationId, second.message.id);
    expect(await textsOf(viewer, conversationId)).toEqual(['herons']);
    const edited = await ask(viewer, { conversationId, parentId: first.message.id, text: 'egrets' });
    expect(await told(viewer, edited)).toEqual(['user: herons\n\negrets']);
  });
});

describe('branching with all versions', () => {
  const branchAll = (viewer: Viewer, conversationId: ConversationId, messageId: MessageId) => {
    const body = { id: newId('conversation'), messageId, copies: 'all' };
    return branching.branch({ ...viewer, params: { conversationId }, body } as never);
  };

  test('copies no deleted messages, and none below them', async () => {
    const viewer = aViewer();
    const first = await ask(viewer, { text: 'herons' });
    const conversationId = first.conversation.id;
    const second = await ask(viewer, { conversationId, parentId: first.answer.id, text: 'storks' });
    await ask(viewer, { conversationId, parentId: second.answer.id, text: 'cranes' });
    const beside = await ask(viewer, { conversationId, parentId: first.answer.id, text: 'egrets' });
    await remove(viewer, conversationId, second.message.id);
    const { id } = await branchAll(viewer, conversationId, beside.message.id);
    const rows = await messages.page(viewer.scope, id, { before: undefined, limit: 50 });
    expect(rows.map(({ text }) => text)).toEqual(['herons', 'About herons', 'egrets', 'About egrets']);
  });

  test('still copies no version of an answer that another answer continues', async () => {
    const viewer = aViewer();
    const first = await ask(viewer, { text: 'herons' }, { status: 'failed', failure: 'output-limit', text: 'Half of' });
    const conversationId = first.conversation.id;
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const wish = { conversationId, parentId: first.message.id, continues: first.answer.id, ...ids };
    const next = await bench.answering.answer(viewer, wish);
    await bench.end(viewer, next, 'Half of it.');
    const { id } = await branchAll(viewer, conversationId, next.answer.id);
    const page = await bench.listing.list({ ...viewer, params: { conversationId: id }, query: { limit: 50 } } as never);
    expect(page.versions).toEqual([]);
  });
});

describe('branching from a question', () => {
  test.each(['path', 'all'] as const)(
    'continues the copy with the next question below the copied one (copies: %s)',
    async (copied) => {
      const viewer = aViewer();
      const first = await ask(viewer, { text: 'herons' });
      const source = first.conversation.id;
      const second = await ask(viewer, { conversationId: source, parentId: first.answer.id, text: 'storks' });
      await remove(viewer, source, second.answer.id);
      const body = { id: newId('conversation'), messageId: second.message.id, copies: copied };
      const { id } = await branching.branch({ ...viewer, params: { conversationId: source }, body } as never);
      const next = await ask(viewer, { conversationId: id, text: 'cranes' });
      const all = ['herons', 'About herons', 'storks', 'cranes', 'About cranes'];
      expect(await textsOf(viewer, id)).toEqual(all);
      expect(await told(viewer, next)).toEqual(['user: herons', 'assistant: About herons', 'user: storks\n\ncranes']);
    },
  );
});
