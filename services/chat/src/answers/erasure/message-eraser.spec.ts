import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { treeBench } from '../../testing/tree-bench.spec-setup.ts';
import { deletedMessagesToJobs, type Viewer } from '../../conversations/index.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';

const bench = await treeBench();
const { conversations, clock, deleting, anEraser, erase } = bench;
beforeAll(bench.ready);

const rows = bench.mongo.connection.collection('messages');
const countOf = (conversationId: ConversationId) => rows.countDocuments({ conversationId } as never);
const call = (viewer: Viewer, conversationId: ConversationId, messageId: MessageId) =>
  ({ ...viewer, params: { conversationId, messageId } }) as never;

/** Queues erasing jobs for messages that an earlier version deleted. */
async function takeOver(): Promise<void> {
  for (let at: string | null = null; (at = await deletedMessagesToJobs.batch(bench.mongo, at)) !== null;);
}
/** Creates a chat of these questions, each below the answer to the previous one. */
async function chatOf(viewer: Viewer, questions: number) {
  const asked = [];
  let conversationId: ConversationId = newId('conversation');
  let parentId: MessageId | null = null;
  for (let number = 0; number < questions; number += 1) {
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const sent = await bench.sending.send(viewer, { conversationId, ...ids, text: `heron ${number}`, parentId });
    await bench.end(viewer, sent, `About heron ${number}`);
    asked.push(sent);
    parentId = sent.answer.id;
    conversationId = sent.conversation.id;
  }
  return { conversationId, asked };
}

describe('deleted messages', () => {
  test('erases a deleted message after seven days with everything below it, but keeps its usage', async () => {
    const viewer = aViewer();
    const { conversationId, asked } = await chatOf(viewer, 14);
    const [, second] = asked;
    const { attempts } = await bench.find(viewer, second!);
    await deleting.delete(call(viewer, conversationId, second!.message.id));
    clock.advance(keepDeletedMs - 1_000);
    await erase();
    expect(await countOf(conversationId)).toBe(28);
    clock.advance(1_000);
    await expect(deleting.restore(call(viewer, conversationId, second!.message.id))).rejects.toMatchObject({
      code: 'chat.message-not-found',
    });
    await erase();
    expect(await countOf(conversationId)).toBe(2);
    expect(await bench.find(viewer, second!)).toMatchObject({ text: '', attempts });
    expect(await conversations.find(viewer.scope, conversationId)).toMatchObject({ deletions: 0 });
    expect((await bench.find(viewer, asked[0]!)).text).toBe('About heron 0');
  });

  test('keeps a restored message, and erases several deleted messages in turns', async () => {
    const [viewer, other] = [aViewer(), aViewer()];
    const [one, two, kept] = [await chatOf(viewer, 2), await chatOf(other, 2), await chatOf(viewer, 2)];
    for (const [whose, { conversationId, asked }] of [
      [viewer, one],
      [other, two],
      [viewer, kept],
    ] as const)
      await deleting.delete(call(whose, conversationId, asked[0]!.message.id));
    await deleting.restore(call(viewer, kept.conversationId, kept.asked[0]!.message.id));
    clock.advance(keepDeletedMs);
    await erase();
    expect(await Promise.all([one, two, kept].map(({ conversationId }) => countOf(conversationId)))).toEqual([0, 0, 4]);
  });

  test('takes turns by person: 101 deleted messages of one person delay those of others by one batch', async () => {
    const flood = aViewer();
    const people = [flood, aViewer(flood.scope.orgId), aViewer()];
    for (const viewer of people) {
      const { conversationId, asked } = await chatOf(viewer, 1);
      await deleting.delete(call(viewer, conversationId, asked[0]!.message.id));
      if (viewer === flood) await copies(asked[0]!.message.id, 100);
      clock.advance(1_000);
    }
    clock.advance(keepDeletedMs);
    // Each look makes at most 100 deleted messages due.
    for (const _ of [1, 2]) await bench.outbox.jobs.rows.wakeDue(clock.now());
    const own = anEraser();
    const batches = jest.spyOn(own, 'eraseSome');
    await erase(own);
    const names = batches.mock.calls.map(([{ deletedBy }]) =>
      people.findIndex(({ principal }) => principal.userId === deletedBy),
    );
    expect(new Set(names.slice(0, 3))).toEqual(new Set([0, 1, 2]));
    // A copied row has nothing below it; the other deleted questions have an answer.
    expect(names).toHaveLength(100 + 3 * 2);
  });

  /** Adds `count` copies of this message's row. */
  async function copies(messageId: MessageId, count: number): Promise<void> {
    const row = (await rows.findOne({ _id: messageId } as never))!;
    const more = Array.from({ length: count }, (_, at) => ({
      ...row,
      _id: newId('message'),
      place: (9 + at) * 1_000_000 + 1,
    }));
    await rows.insertMany(more.map((one, at) => ({ ...one, position: 100 + at })) as never);
    await takeOver();
  }

  test('erases a message that an earlier version deleted after its seven days', async () => {
    const viewer = aViewer();
    const { conversationId, asked } = await chatOf(viewer, 2);
    await deleting.delete(call(viewer, conversationId, asked[1]!.message.id));
    await bench.mongo.connection.collection('jobs').deleteMany({});
    for (const _ of ['once', 'repeated']) await takeOver();
    clock.advance(keepDeletedMs - 1);
    await erase();
    expect(await countOf(conversationId)).toBe(4);
    clock.advance(1);
    await erase();
    expect(await countOf(conversationId)).toBe(2);
  });

  test('no longer counts a deleted message below another when both are erased', async () => {
    const viewer = aViewer();
    const { conversationId, asked } = await chatOf(viewer, 3);
    for (const one of [asked[2]!, asked[1]!]) await deleting.delete(call(viewer, conversationId, one.message.id));
    expect(await conversations.find(viewer.scope, conversationId)).toMatchObject({ deletions: 2 });
    clock.advance(keepDeletedMs);
    const outer = await rows.findOne({ _id: asked[1]!.message.id } as never);
    await anEraser().eraseSome(outer as never);
    expect(await conversations.find(viewer.scope, conversationId)).toMatchObject({ deletions: 1 });
    await erase();
    expect(await conversations.find(viewer.scope, conversationId)).toMatchObject({ deletions: 0 });
    expect(await countOf(conversationId)).toBe(2);
  });

  test('finishes an interrupted deletion when it is repeated, or when the message is erased', async () => {
    const viewer = aViewer();
    const { conversationId, asked } = await chatOf(viewer, 2);
    const root = asked[1]!.message.id;
    const left = [3, 1];
    const end = jest.spyOn(bench.keeping, 'end');
    end.mockImplementation(() => {
      if (left[0] === 2) throw new Error('The process ended.');
      return Promise.resolve((left[0]! -= 1) > 0);
    });
    await expect(deleting.delete(call(viewer, conversationId, root))).rejects.toThrow('The process ended.');
    left.shift();
    left[0] = 2;
    end.mockImplementation(() => Promise.resolve((left[0]! -= 1) > 0));
    await deleting.delete(call(viewer, conversationId, root));
    expect(left).toEqual([0]);
    left[0] = 2;
    clock.advance(keepDeletedMs);
    await erase();
    expect([left[0]! < 1, await countOf(conversationId)]).toEqual([true, 2]);
    end.mockRestore();
  });
});
