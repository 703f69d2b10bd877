import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import { apartFromClients, derivedId, newId } from '@parley/platform/ids';
import { mostSearchKeys } from '@parley/platform/text';
import { ownSearchScope, type Viewer } from '../../../conversations/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { eventually } from '@parley/testing';
import { chatBench, newQuestion } from '../../../testing/chat-bench.spec-setup.ts';
import { stopsWanted } from './generation-queue.ts';

const bench = await chatBench();
const { sending, answering, stopping, keeping, conversations, messages, work, clock, end } = bench;
beforeAll(bench.ready);

const owner = aViewer();
const colleague = aViewer(owner.scope.orgId);
const elsewhere = aViewer(undefined, { userId: owner.principal.userId });
const unknown = { code: 'chat.conversation-not-found' };
const busy = { code: 'chat.generation-running' };
const again = (viewer: Viewer, { conversation, message }: Accepted, more: object = {}) => {
  const ids = { conversationId: conversation.id, parentId: message.id };
  const wish = { ...ids, answerId: newId('message'), generationId: newId('generation'), ...more };
  return answering.answer(viewer, wish);
};
const remove = ({ scope, principal }: Viewer, { conversation: { id } }: Accepted) => {
  const deletion = { visible: { ownerId: principal.userId }, id, now: clock.now(), eraseAt: clock.now() };
  return work.run(principal, (tx) => conversations.delete(scope, deletion, tx));
};

describe('questions', () => {
  test('begins a conversation with a waiting answer, and publishes both in one order', async () => {
    const { message, answer, conversation } = await bench.ask(owner);
    expect([message.position, answer.position, answer.parentId]).toEqual([1, 2, message.id]);
    expect(answer.generation?.status).toBe('queued');
    expect(conversation).toMatchObject({ running: true, sequence: 3, title: 'How many herons?' });
    const events = await bench.eventsOf(conversation.id);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['conversation.changed.v1', 1],
      ['message.created.v1', 2],
      ['generation.queued.v1', 3],
    ]);
    for (const { data } of events) expect(data).toMatchObject({ memberIds: [owner.principal.userId] });
  });

  test('refuses to begin a conversation under an id that the server keeps for itself', async () => {
    const conversationId = apartFromClients(derivedId('conversation', ['import', owner.scope.orgId]));
    await expect(bench.ask(owner, { conversationId })).rejects.toMatchObject(unknown);
    expect(await conversations.find(owner.scope, conversationId)).toBeNull();
  });

  test('continues a conversation once its answer has ended', async () => {
    const first = await bench.ask(owner);
    const conversationId = first.conversation.id;
    await expect(bench.ask(owner, { conversationId })).rejects.toMatchObject(busy);
    await end(owner, first);
    const second = await bench.ask(owner, { conversationId });
    expect(second.message).toMatchObject({ position: 3, parentId: first.answer.id });
    expect(second.conversation.sequence).toBe(6);
    const sequences = (await bench.eventsOf(conversationId)).map(({ sequence }) => sequence);
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('returns the stored question if it is sent again, and stores nothing', async () => {
    const question = newQuestion();
    const first = await sending.send(owner, question);
    const count = (await bench.recorded()).length;
    expect(await sending.send(owner, question)).toEqual(first);
    const another = { ...newQuestion(), generationId: question.generationId };
    await expect(sending.send(owner, another)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect(await bench.recorded()).toHaveLength(count);
  });

  test('refuses a question in somebody else’s conversation, also repeated, and stores nothing', async () => {
    const question = newQuestion();
    const asked = await sending.send(owner, question);
    await end(owner, asked);
    const count = (await bench.recorded()).length;
    for (const viewer of [colleague, elsewhere]) {
      await expect(sending.send(viewer, question)).rejects.toMatchObject(unknown);
      const { conversationId } = question;
      await expect(bench.ask(viewer, { conversationId })).rejects.toMatchObject(unknown);
    }
    expect(await bench.recorded()).toHaveLength(count);
    const rows = await messages.page(owner.scope, question.conversationId, { before: undefined, limit: 9 });
    expect(rows).toHaveLength(2);
  });

  test('refuses a question in a deleted conversation', async () => {
    const asked = await bench.ask(owner);
    await end(owner, asked);
    await remove(owner, asked);
    await expect(bench.ask(owner, { conversationId: asked.conversation.id })).rejects.toMatchObject(unknown);
  });

  test('stores the words of a question in the search index of its owner only', async () => {
    const { conversation } = await bench.ask(owner, { text: 'walrus' });
    const searchScope = ownSearchScope(owner);
    expect(await bench.searchedBy(owner, conversation.id)).toMatchObject([
      { searchScope, searchKeys: [':me', 'walrus'] },
      { searchScope, searchKeys: [] },
    ]);
  });
});

test('gives a question of 32,000 different pairs of characters no more search keys than others', async () => {
  const text = String.fromCodePoint(
    ...Array.from({ length: 32_000 }, (_, at) => 0x4e00 + ((at * at * 7_919) % 20_000)),
  );
  const { conversation } = await bench.ask(owner, { text });
  const [question] = await bench.searchedBy(owner, conversation.id);
  expect(question!.searchKeys).toHaveLength(1 + mostSearchKeys);
});

describe('answering a question again', () => {
  test('gives a question a second version of its answer, once the first has ended', async () => {
    const asked = await bench.ask(owner);
    await expect(again(owner, asked)).rejects.toMatchObject(busy);
    await end(owner, asked);
    const { answer } = await again(owner, asked);
    expect(answer).toMatchObject({ position: 3, parentId: asked.message.id });
  });

  test('creates one answer if the same ids are sent twice', async () => {
    const asked = await bench.ask(owner);
    await end(owner, asked);
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const first = await again(owner, asked, ids);
    const count = (await bench.recorded()).length;
    expect((await again(owner, asked, ids)).answer).toEqual(first.answer);
    expect(await bench.recorded()).toHaveLength(count);
    await end(owner, first);
    const [ended, told] = [await bench.find(owner, first), (await bench.recorded()).length];
    expect((await again(owner, asked, ids)).answer.generation).toMatchObject({ id: ended._id, status: 'done' });
    expect(await bench.recorded()).toHaveLength(told);
  });

  test('answers only questions of the person’s own conversation again', async () => {
    const [asked, other] = [await bench.ask(owner), await bench.ask(owner)];
    await end(owner, asked);
    for (const viewer of [colleague, elsewhere]) await expect(again(viewer, asked)).rejects.toMatchObject(unknown);
    const missing = { code: 'chat.message-not-found' };
    await expect(again(owner, asked, { parentId: asked.answer.id })).rejects.toMatchObject(missing);
    await expect(again(owner, asked, { parentId: other.message.id })).rejects.toMatchObject(missing);
  });
});

describe('stopping an answer', () => {
  const stop = (viewer: Viewer, asked: Accepted, of: Accepted = asked) =>
    stopping.stop(viewer, { conversationId: asked.conversation.id, generationId: of.answer.generation!.id });

  test('stops answers that haven’t ended, for people who can see them', async () => {
    const asked = await bench.ask(owner);
    for (const viewer of [colleague, elsewhere]) await expect(stop(viewer, asked)).rejects.toMatchObject(unknown);
    expect((await bench.find(owner, asked)).stopRequested).toBe(false);
    expect(await stop(owner, asked)).toEqual({ status: 'queued' });
    expect((await bench.find(owner, asked)).stopRequested).toBe(true);
    await end(owner, asked);
    expect(await stop(owner, asked)).toEqual({ status: 'done' });
  });

  test('refuses to stop an answer of another conversation', async () => {
    const [asked, other] = [await bench.ask(owner), await bench.ask(owner)];
    await expect(stop(owner, asked, other)).rejects.toMatchObject({ code: 'chat.generation-not-found' });
  });

  test('changes nothing if the answer has ended', async () => {
    const asked = await bench.ask(owner);
    await end(owner, asked);
    await stop(owner, asked);
    expect((await bench.find(owner, asked)).stopRequested).toBe(false);
  });
});

describe('deleting a conversation', () => {
  const remove = (viewer: Viewer, { conversation }: Accepted) =>
    keeping.delete({ ...viewer, params: { conversationId: conversation.id } } as never);

  test('requests the stop of its answer in the same transaction, and wakes the workers', async () => {
    const [asked, other] = [await bench.ask(owner), await bench.ask(owner)];
    let rings = 0;
    const stopListening = bench.doorbell.on(stopsWanted, () => (rings += 1));
    await remove(owner, asked);
    expect((await bench.find(owner, asked)).stopRequested).toBe(true);
    expect((await bench.find(owner, other)).stopRequested).toBe(false);
    await eventually(() => rings === 1, 'the workers are told');
    stopListening();
  });

  test('stops no answer if the deletion is refused', async () => {
    const asked = await bench.ask(owner);
    for (const viewer of [colleague, elsewhere]) await expect(remove(viewer, asked)).rejects.toMatchObject(unknown);
    expect((await bench.find(owner, asked)).stopRequested).toBe(false);
  });
});
