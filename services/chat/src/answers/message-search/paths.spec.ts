import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Accepted, ConversationId, Message, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import { ConversationMarks, ReadingPlaces, type Viewer } from '../../conversations/index.ts';
import { searchOn } from '../../testing/search-bench.spec-setup.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { PathsService } from './paths.service.ts';
import { ShownMessages } from './shown-messages.ts';

const bench = await chatBench();
const { mongo, access, open, paths, messages, generations, work } = bench;
const shown = new ShownMessages(generations);
const reading = new ReadingPlaces(mongo);
const service = new PathsService(access, open, paths, messages, shown, reading, work);
const { searching } = searchOn(bench);
beforeAll(bench.ready);

type Asked = { readonly text: string; readonly parentId?: MessageId | null; readonly conversationId?: ConversationId };

/** Asks a question, and ends its answer with a text. */
async function ask(viewer: Viewer, { text, parentId, conversationId = newId('conversation') }: Asked) {
  const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
  const asked = await bench.sending.send(viewer, {
    conversationId,
    ...ids,
    text,
    ...(parentId !== undefined && { parentId }),
  });
  await bench.end(viewer, asked);
  return asked;
}
const again = async (viewer: Viewer, { conversation, message }: Accepted) => {
  const ids = { answerId: newId('message'), generationId: newId('generation') };
  const asked = await bench.answering.answer(viewer, { conversationId: conversation.id, parentId: message.id, ...ids });
  await bench.end(viewer, asked);
  return asked;
};
const list = (viewer: Viewer, conversationId: ConversationId, query: object = {}) =>
  service.list({ ...viewer, params: { conversationId }, query: { limit: 50, ...query } } as never);
const move = (viewer: Viewer, conversationId: ConversationId, body: { through: MessageId; version: number }) =>
  service.move({ ...viewer, params: { conversationId }, body } as never);
const idsOf = (items: readonly Pick<Message, 'id'>[]) => items.map(({ id }) => id);

/** Creates two questions in a row, and a second version of the first. */
async function branched() {
  const viewer = aViewer();
  const first = await ask(viewer, { text: 'first' });
  const conversationId = first.conversation.id;
  const second = await ask(viewer, { text: 'second', conversationId, parentId: first.answer.id });
  const edited = await ask(viewer, { text: 'edited', conversationId, parentId: null });
  return { viewer, conversationId, first, second, edited };
}

describe('reading a path', () => {
  test('returns whether the conversation is archived, also with changes', async () => {
    const viewer = aViewer();
    const { conversation } = await ask(viewer, { text: 'first' });
    const { id } = conversation;
    const marks = new ConversationMarks(mongo, access, work);
    const mark = (archived: boolean) =>
      marks.markMany({ ...viewer, body: { conversationIds: [id], archived } } as never);
    expect(await list(viewer, id)).not.toHaveProperty('archived');
    await mark(true);
    expect(await list(viewer, id)).toMatchObject({ archived: true });
    expect(await list(viewer, id, { after: 1 })).toMatchObject({ archived: true });
    await mark(false);
    expect(await list(viewer, id)).not.toHaveProperty('archived');
  });

  test('ends where the reader was last, and lists the versions on the path', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const page = await list(viewer, conversationId);
    expect(idsOf(page.items)).toEqual([edited.message.id, edited.answer.id]);
    expect(page).toMatchObject({ leafId: edited.answer.id, hasOlder: false, elsewhere: [] });
    expect(page.versions).toEqual([{ parentId: null, ids: [first.message.id, edited.message.id] }]);
    const other = await list(viewer, conversationId, { through: first.message.id });
    expect(idsOf(other.items)).toEqual([first, second].flatMap(({ message, answer }) => [message.id, answer.id]));
    expect(other.items.map(({ depth }) => depth)).toEqual([1, 2, 3, 4]);
    const part = await list(viewer, conversationId, { leaf: first.answer.id });
    expect(idsOf(part.items)).toEqual([first.message.id, first.answer.id]);
    const older = await list(viewer, conversationId, { leaf: second.answer.id, before: 3, limit: 1 });
    expect([idsOf(older.items), older.hasOlder]).toEqual([[first.answer.id], true]);
  });

  test('returns changes on the path with text, and other changes only with fields that count versions', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const { items, elsewhere, versions } = await list(viewer, conversationId, { after: 0, leaf: second.answer.id });
    expect(idsOf(items).toSorted()).toEqual(
      idsOf([first, second].flatMap(({ message, answer }) => [message, answer])).toSorted(),
    );
    expect(idsOf(elsewhere)).toEqual([edited.message.id, edited.answer.id]);
    expect(JSON.stringify(elsewhere)).not.toContain('edited');
    expect(elsewhere.map(({ status }) => status)).toEqual([null, 'done']);
    expect(versions).toContainEqual({ parentId: null, ids: [first.message.id, edited.message.id] });
    const follows = await list(viewer, conversationId, { after: 0, leaf: first.answer.id });
    expect(idsOf(follows.items)).toContain(second.answer.id);
  });

  test('moves to the path that the reader opens, once per stored version, and to where they ask', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const { placeVersion: version } = await list(viewer, conversationId);
    const wanted = { through: first.message.id, version };
    expect(await move(viewer, conversationId, wanted)).toEqual({ leafId: second.answer.id, version: version + 1 });
    await expect(move(viewer, conversationId, wanted)).rejects.toMatchObject({ code: 'platform.conflict' });
    expect((await list(viewer, conversationId)).leafId).toBe(second.answer.id);
    const third = await ask(viewer, { text: 'third', conversationId, parentId: edited.answer.id });
    expect((await list(viewer, conversationId)).leafId).toBe(third.answer.id);
    const version2 = await again(viewer, second);
    expect((await list(viewer, conversationId)).leafId).toBe(version2.answer.id);
  });

  test('lists no refused answer that was asked again, and no answer that another one continues', async () => {
    const viewer = aViewer();
    const asked = await bench.sending.send(viewer, {
      conversationId: newId('conversation'),
      messageId: newId('message'),
      answerId: newId('message'),
      generationId: newId('generation'),
      text: 'first',
    });
    const conversationId = asked.conversation.id;
    const cut = { status: 'failed', failure: 'output-limit', text: 'Half of' } as const;
    const refused = { status: 'failed', failure: 'budget-spent', text: 'Half of' } as const;
    await bench.end(viewer, asked, cut);
    const goOn = async (continues: MessageId, end: object) => {
      const ids = { answerId: newId('message'), generationId: newId('generation') };
      const wish = { conversationId, parentId: asked.message.id, continues, ...ids };
      const next = await bench.answering.answer(viewer, wish);
      await bench.end(viewer, next, end);
      return next.answer.id;
    };
    const versions = async () => {
      const page = await list(viewer, conversationId, { after: 0 });
      return page.versions.find(({ parentId }) => parentId === asked.message.id)?.ids;
    };
    const first = await goOn(asked.answer.id, refused);
    expect(await versions()).toEqual([first]);
    const second = await goOn(asked.answer.id, refused);
    expect(await versions()).toEqual([second]);
    const whole = await goOn(asked.answer.id, { text: 'Half of it.' });
    expect(await versions()).toEqual([whole]);
    expect((await list(viewer, conversationId)).versions).toEqual([]);
    // A reader who was led to a replaced answer can leave it by its versions.
    const onIt = await list(viewer, conversationId, { leaf: asked.answer.id });
    expect(onIt.versions).toEqual([{ parentId: asked.message.id, ids: [asked.answer.id, whole] }]);
    // A question below the replaced answer makes it a version for everyone, also in changes.
    const { sequence: after } = onIt;
    await ask(viewer, { text: 'second', conversationId, parentId: asked.answer.id });
    const news = await list(viewer, conversationId, { leaf: whole, after });
    expect(news.versions).toContainEqual({ parentId: asked.message.id, ids: [asked.answer.id, whole] });
  });

  test('lists no refused continuation as a version, but keeps the text that it should continue', async () => {
    const viewer = aViewer();
    const asked = await bench.ask(viewer, { text: 'first' });
    const conversationId = asked.conversation.id;
    const parentId = asked.message.id;
    const refused = { status: 'failed', failure: 'budget-spent', text: 'Half of' } as const;
    await bench.end(viewer, asked, { status: 'failed', failure: 'output-limit', text: 'Half of' });
    const answered = async (end: object, continues?: MessageId) => {
      const ids = { answerId: newId('message'), generationId: newId('generation') };
      const next = await bench.answering.answer(viewer, {
        conversationId,
        parentId,
        ...(continues && { continues }),
        ...ids,
      });
      await bench.end(viewer, next, end);
      return next.answer.id;
    };
    const versions = async () =>
      (await list(viewer, conversationId, { after: 0 })).versions.find((one) => one.parentId === parentId)?.ids;
    const first = await answered(refused, asked.answer.id);
    expect(await versions()).toEqual([first]);
    expect((await list(viewer, conversationId)).items.at(-1)).toMatchObject({ id: first, text: 'Half of' });
    const second = await answered(refused, first);
    expect(await versions()).toEqual([second]);
    // An answer that continues no other one stays a version.
    const other = await answered({ text: 'Another one.' });
    expect(await versions()).toEqual([asked.answer.id, other]);
    const whole = await answered({ text: 'Half of it.' }, second);
    expect(await versions()).toEqual([other, whole]);
  });

  test('keeps a replaced answer as a version if the conversation continues below it', async () => {
    const viewer = aViewer();
    const asked = await ask(viewer, { text: 'first' });
    const conversationId = asked.conversation.id;
    await ask(viewer, { text: 'second', conversationId, parentId: asked.answer.id });
    const ids = { answerId: newId('message'), generationId: newId('generation') };
    const wish = { conversationId, parentId: asked.message.id, continues: asked.answer.id, ...ids };
    const next = await bench.answering.answer(viewer, wish);
    await bench.end(viewer, next, { text: 'More of it.' });
    const { versions } = await list(viewer, conversationId);
    expect(versions).toEqual([{ parentId: asked.message.id, ids: [asked.answer.id, next.answer.id] }]);
  });

  test('continues below the stored reading position, also after moving away or a deletion', async () => {
    const viewer = aViewer();
    const first = await ask(viewer, { text: 'first' });
    const conversationId = first.conversation.id;
    const { scope, principal } = viewer;
    await reading.keep(scope, { conversationId, userId: principal.userId, leafId: first.answer.id });
    const second = await ask(viewer, { text: 'second', conversationId, parentId: first.answer.id });
    const third = await ask(viewer, { text: 'third', conversationId, parentId: second.answer.id });
    expect(await list(viewer, conversationId)).toMatchObject({ leafId: third.answer.id, placeVersion: 0 });
    expect((await list(viewer, conversationId, { through: first.message.id })).leafId).toBe(third.answer.id);
    await bench.deleting.delete({ ...viewer, params: { conversationId, messageId: third.message.id } } as never);
    expect((await list(viewer, conversationId)).leafId).toBe(second.answer.id);
    const edited = await ask(viewer, { text: 'edited', conversationId, parentId: null });
    expect((await list(viewer, conversationId)).leafId).toBe(edited.answer.id);
  });

  test('opens the reader’s last path through a message, if there is one', async () => {
    const { viewer, conversationId, first, second, edited } = await branched();
    const newer = await ask(viewer, { text: 'newer', conversationId, parentId: first.answer.id });
    expect((await list(viewer, conversationId, { through: first.message.id })).leafId).toBe(newer.answer.id);
    const { placeVersion: version } = await list(viewer, conversationId);
    await move(viewer, conversationId, { through: second.message.id, version });
    expect((await list(viewer, conversationId, { through: first.message.id })).leafId).toBe(second.answer.id);
    expect((await list(viewer, conversationId, { through: edited.message.id })).leafId).toBe(edited.answer.id);
  });

  test('returns the answer that runs on another path, without its text', async () => {
    const { viewer, conversationId, second, edited } = await branched();
    const ids = { messageId: newId('message'), answerId: newId('message'), generationId: newId('generation') };
    const written = { ...ids, conversationId, text: 'secret', parentId: edited.answer.id };
    await bench.sending.send(viewer, written);
    const page = await list(viewer, conversationId, { leaf: second.answer.id });
    expect(page.elsewhere).toMatchObject([{ id: ids.answerId, parentId: ids.messageId, status: 'queued' }]);
    expect(JSON.stringify(page)).not.toContain('secret');
    expect((await list(viewer, conversationId)).elsewhere).toEqual([]);
  });

  test('counts the messages below a message, and names the model and chatbot of each version', async () => {
    const { viewer, conversationId, first, edited } = await branched();
    const count = (messageId: MessageId) =>
      service.count({ ...viewer, params: { conversationId, messageId } } as never);
    const later = await again(viewer, first);
    const given = { model: first.answer.generation?.model.key, chatbotId: first.answer.generation?.chatbot?.id };
    expect(await count(first.message.id)).toEqual({ messages: 5, versions: [] });
    expect(await count(first.answer.id)).toEqual({
      messages: 3,
      versions: [first.answer.id, later.answer.id].map((id) => ({ id, ...given })),
    });
    expect(await count(edited.message.id)).toMatchObject({ messages: 2 });
    // The count leaves out messages that were deleted before.
    await bench.deleting.delete({ ...viewer, params: { conversationId, messageId: later.answer.id } } as never);
    expect(await count(first.message.id)).toMatchObject({ messages: 4 });
    await expect(count(newId('message'))).rejects.toMatchObject({ code: 'chat.message-not-found' });
  });

  test('finds only messages of this conversation that weren’t deleted', async () => {
    const { viewer, conversationId } = await branched();
    const elsewhere = await ask(viewer, { text: 'elsewhere' });
    for (const query of [{ leaf: elsewhere.answer.id }, { through: newId('message') }])
      await expect(list(viewer, conversationId, query)).rejects.toMatchObject({ code: 'chat.message-not-found' });
    const question = { text: 'lost', conversationId, parentId: elsewhere.answer.id };
    await expect(ask(viewer, question)).rejects.toMatchObject({ code: 'chat.message-not-found' });
    await expect(list(aViewer(), conversationId)).rejects.toMatchObject({ code: 'chat.conversation-not-found' });
  });

  test('looks up no parent for a question in a chat without branches', async () => {
    const viewer = aViewer();
    const first = await ask(viewer, { text: 'first' });
    const conversationId = first.conversation.id;
    const looked = jest.spyOn(paths, 'locate');
    const line = jest.spyOn(paths, 'lineEnd');
    const second = await ask(viewer, { text: 'second', conversationId, parentId: first.answer.id });
    const third = await ask(viewer, { text: 'third', conversationId });
    expect([looked.mock.calls.length, line.mock.calls.length]).toEqual([0, 0]);
    jest.restoreAllMocks();
    expect(third.message).toMatchObject({ parentId: second.answer.id, depth: 5 });
    await again(viewer, third);
    const fourth = await ask(viewer, { text: 'fourth', conversationId, parentId: third.answer.id });
    expect(fourth.message.depth).toBe(7);
    expect((await list(viewer, conversationId)).items.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

test('searches messages on all branches, without messages below a deleted one', async () => {
  const viewer = aViewer();
  const first = await ask(viewer, { text: 'first herons' });
  const conversationId = first.conversation.id;
  const left = await ask(viewer, { text: 'left herons', conversationId, parentId: first.answer.id });
  await ask(viewer, { text: 'lower herons', conversationId, parentId: left.answer.id });
  await ask(viewer, { text: 'right herons', conversationId, parentId: first.answer.id });
  const found = async () => {
    const query = { limit: 50, q: 'herons' };
    const { items } = await searching.search({ ...viewer, query } as never);
    return new Set(items.flatMap(({ role, snippet }) => (role === 'person' ? [snippet.split(' ')[0]] : [])));
  };
  expect(await found()).toEqual(new Set(['first', 'left', 'lower', 'right']));
  await bench.deleting.delete({ ...viewer, params: { conversationId, messageId: left.message.id } } as never);
  expect(await found()).toEqual(new Set(['first', 'right']));
});
