import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Accepted } from '@parley/contracts';
import { newQuestion } from '../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { erasureBench } from '../../testing/erasure-bench.spec-setup.ts';
import { keepDeletedMs } from '../../keep-deleted.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { charactersPerBatch, keysPerBatch, messagesPerBatch } from './conversation-eraser.ts';

const bench = await erasureBench();
const { clock, anEraser, erase, remove, restore, eraseNow, listed, found, countOf, stored, aLongChat } = bench;
beforeAll(bench.ready);

const dayMs = 86_400_000;
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`);
const gone = { code: 'chat.conversation-not-found' };
const erased = { code: 'chat.conversation-erased' };

describe('deleted chats', () => {
  test('keeps a deleted chat complete for seven days, lists its last day, and restores it unchanged', async () => {
    const viewer = aViewer();
    const asked = await bench.answered(viewer);
    const before = await bench.searchedBy(viewer, asked.conversation.id);
    await remove(viewer, asked);
    clock.advance(7 * dayMs - 1);
    await erase();
    const [item] = (await listed(viewer)).items;
    expect(item).toEqual({
      id: asked.conversation.id,
      title: 'How many herons?',
      deletedAt: new Date(clock.now().getTime() + 1 - 7 * dayMs).toISOString(),
      eraseAt: new Date(clock.now().getTime() + 1).toISOString(),
    });
    await restore(viewer, asked);
    clock.advance(30 * dayMs);
    await erase();
    expect(await bench.searchedBy(viewer, asked.conversation.id)).toEqual(before);
    expect((await bench.find(viewer, asked)).text).toBe('Three quiet herons.');
    expect((await listed(viewer)).items).toEqual([]);
  });

  test('erases words, title and search keys of a deleted chat after seven days, but keeps its usage', async () => {
    const viewer = aViewer();
    const asked = await bench.answered(viewer, { text: 'Where is the secret?', answer: 'Under the stone.' });
    const kept = await bench.answered(viewer, { text: 'Where is the secret, again?' });
    const { attempts, usage } = await bench.find(viewer, asked);
    const ofAsked = { conversationId: asked.conversation.id } as object;
    const rest = ['drafts', 'reading_places'].map((name) => bench.mongo.connection.collection(name));
    await rest[0]!.insertOne({ _id: 'draft', ...ofAsked, text: 'secret' } as never);
    await rest[1]!.insertOne({ _id: 'place', ...ofAsked, leafId: asked.answer.id } as never);
    await remove(viewer, asked);
    expect(await Promise.all(rest.map((rows) => rows.countDocuments(ofAsked)))).toEqual([1, 1]);
    clock.advance(7 * dayMs);
    await erase();
    expect(await countOf(asked)).toBe(0);
    expect(await Promise.all(rest.map((rows) => rows.countDocuments(ofAsked)))).toEqual([0, 0]);
    expect(await found(viewer, 'secret')).toEqual([kept.message.id]);
    const left = [await stored(viewer, asked), await bench.find(viewer, asked)];
    expect(JSON.stringify(left)).not.toMatch(/secret|stone/);
    expect(left).toMatchObject([
      { title: '', erasure: 'done' },
      { text: '', attempts, usage },
    ]);
    expect((await listed(viewer)).items).toEqual([]);
    expect((await bench.eventsOf(asked.conversation.id)).at(-1)).toMatchObject({
      type: 'conversation.erased.v1',
      actor: 'job:erases deleted chats',
      data: { userId: viewer.principal.userId },
    });
    await erase();
    expect(await countOf(kept)).toBe(2);
  });

  test('refuses to restore, read, ask in or recreate an erased chat, and bills none of its answers again', async () => {
    const viewer = aViewer();
    const question = newQuestion();
    const asked = await bench.sending.send(viewer, question);
    await bench.end(viewer, asked);
    await remove(viewer, asked);
    await eraseNow(viewer, asked);
    const { conversationId, generationId } = question;
    for (const _ of ['begun', 'done']) {
      await expect(restore(viewer, asked)).rejects.toMatchObject(erased);
      await remove(viewer, asked);
      await expect(bench.read(viewer, asked)).rejects.toMatchObject(gone);
      await expect(bench.ask(viewer, { conversationId })).rejects.toMatchObject(gone);
      await erase();
    }
    await expect(bench.sending.send(viewer, question)).rejects.toMatchObject(gone);
    const again = bench.sending.send(viewer, { ...newQuestion(), generationId });
    await expect(again).rejects.toMatchObject({ code: 'platform.conflict' });
    const ended = (await bench.eventsOf(conversationId)).filter(({ type }) => type === 'generation.attempt-ended.v1');
    expect(ended).toHaveLength(1);
  });

  test('erases a chat that an earlier version deleted seven days after the first look; restores it until then', async () => {
    const viewer = aViewer();
    const [asked, other] = [await bench.answered(viewer), await bench.answered(viewer)];
    for (const each of [asked, other]) {
      const old = { $set: { isDeleted: true, deletedAt: new Date(0) }, $unset: { erasure: 1, eraseAt: 1 } };
      await bench.changeRow(each, old);
    }
    await bench.mongo.connection.collection('jobs').deleteMany({});
    for (const _ of ['once', 'repeated']) await bench.takeOver();
    await restore(viewer, other);
    await erase();
    expect((await listed(viewer)).items).toMatchObject([
      { id: asked.conversation.id, eraseAt: new Date(clock.now().getTime() + keepDeletedMs).toISOString() },
    ]);
    clock.advance(7 * dayMs - 1);
    await erase();
    expect(await countOf(asked)).toBe(2);
    clock.advance(1);
    await erase();
    expect([await countOf(asked), await countOf(other)]).toEqual([0, 2]);
  });

  test('waits with a deleted chat until its running answer has ended', async () => {
    const viewer = aViewer();
    const asked = await bench.ask(viewer);
    await remove(viewer, asked);
    await eraseNow(viewer, asked);
    await erase();
    expect(await countOf(asked)).toBe(2);
    await bench.end(viewer, asked, { status: 'stopped', text: 'Three secret' });
    clock.advance(60_000);
    await erase();
    expect(await countOf(asked)).toBe(0);
    expect(await bench.find(viewer, asked)).toMatchObject({ text: '', status: 'stopped', usage: { outputTokens: 5 } });
  });

  test('erases the text of ratings that were given after the deletion, but still counts them', async () => {
    const viewer = aViewer();
    const asked = await bench.answered(viewer, { text: 'Private?' });
    await remove(viewer, asked);
    const id = await ratedMeanwhile(viewer, asked);
    expect(await bench.shared(viewer, id)).toHaveLength(2);
    await eraseNow(viewer, asked);
    await erase();
    const left = [await bench.get(viewer, id), await bench.shared(viewer, id)];
    expect(JSON.stringify(left)).not.toContain('Private');
    expect(await bench.counted(viewer)).toMatchObject({ down: 1 });
  });

  /** Rates like a request that read the chat before it was deleted. */
  async function ratedMeanwhile(viewer: Viewer, asked: Accepted) {
    await restore(viewer, asked);
    const { id } = await bench.rate(viewer, asked, { comment: 'Private!', messages: 2 });
    await bench.changeRow(asked, { $set: { isDeleted: true, erasure: 'waiting' } });
    return id;
  }
});

describe('long chats', () => {
  test('erases a long chat in batches, from wherever another process ended', async () => {
    const viewer = aViewer();
    const asked = await aLongChat(viewer, 200);
    await remove(viewer, asked);
    await eraseNow(viewer, asked);
    const row = (await stored(viewer, asked))!;
    for (let left = await countOf(asked), round = 0; round < 3; round += 1) {
      await anEraser().eraseSome(row);
      const now = await countOf(asked);
      expect(left - now).toBe(messagesPerBatch);
      left = now;
    }
    await Promise.all([erase(), erase()]);
    expect(await countOf(asked)).toBe(0);
    expect(await stored(viewer, asked)).toMatchObject({ erasure: 'done' });
  });

  test.each([
    ['of many words gives way after fewer messages', { searchKeys: words(keysPerBatch / 4) }, 4],
    ['of long texts too', { text: 'x'.repeat(charactersPerBatch / 2) }, 2],
    ['of a message with too many words for one batch takes it alone', { searchKeys: words(keysPerBatch + 1) }, 1],
  ])('a long chat %s', async (_name, more, count) => {
    const viewer = aViewer();
    const asked = await aLongChat(viewer, 10, more);
    await remove(viewer, asked);
    await eraseNow(viewer, asked);
    const row = (await stored(viewer, asked))!;
    await anEraser().eraseSome(row); // The two short ones first, as far as there is room behind them.
    const before = await countOf(asked);
    await anEraser().eraseSome(row);
    expect(before - (await countOf(asked))).toBe(count);
  });
});

describe('immediate erasure', () => {
  test('erases only the person’s own deleted chats, leaves others alone, and can be repeated', async () => {
    const viewer = aViewer();
    const asked = await bench.answered(viewer);
    const strangers = [aViewer(viewer.scope.orgId), aViewer(undefined, { userId: viewer.principal.userId })];
    const refused = eraseNow(viewer, asked);
    await expect(refused).rejects.toMatchObject({
      code: 'platform.conflict',
      extras: { current: { id: asked.conversation.id } },
    });
    await remove(viewer, asked);
    for (const stranger of strangers) {
      await expect(eraseNow(stranger, asked)).rejects.toMatchObject(gone);
      expect((await listed(stranger)).items).toEqual([]);
    }
    for (const _ of [1, 2]) await eraseNow(viewer, asked);
    await erase();
    await eraseNow(viewer, asked);
    const events = (await bench.eventsOf(asked.conversation.id)).filter(
      ({ type }) => type === 'conversation.erased.v1',
    );
    expect(events).toHaveLength(1);
  });

  test('takes turns by person: 101 chats of one person delay a chat of another by one batch', async () => {
    const [flood, other] = [aViewer(), aViewer()];
    for (const viewer of [flood, other]) {
      const asked = await bench.ask(viewer);
      await bench.end(viewer, asked);
      await remove(viewer, asked);
      await eraseNow(viewer, asked);
      if (viewer === flood) await bench.copies(asked, 100);
      clock.advance(1_000);
    }
    const eraser = anEraser();
    const batches = jest.spyOn(eraser, 'eraseSome');
    await erase(eraser);
    const people = [flood, other].map(({ principal }) => principal.userId);
    const owners = batches.mock.calls.map(([{ ownerId }]) => ownerId).filter((ownerId) => people.includes(ownerId));
    expect(owners.slice(0, 2).toSorted()).toEqual(people.toSorted());
    // A copied row has no messages, so its first batch is its last.
    expect(owners).toHaveLength(2 + 100 + 2);
  });

  test('lists deleted chats page by page, last deleted first', async () => {
    const viewer = aViewer();
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      const asked = await bench.answered(viewer);
      clock.advance(1_000);
      await remove(viewer, asked);
      ids.unshift(asked.conversation.id);
    }
    const first = await listed(viewer, { limit: 2 });
    const rest = await listed(viewer, { limit: 2, cursor: first.nextCursor });
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(ids);
  });
});
