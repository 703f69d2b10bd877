import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { testStore, watchCommands } from '@parley/testing';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { ConversationAccess, ownedBy, visibleTo, type Viewer } from './access.ts';
import { ConversationLists } from './conversation-lists.ts';
import { ConversationsRepository } from './conversations.repository.ts';
import { ConversationsService } from './conversations.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const rows = new ConversationsRepository(mongo);
const service = new ConversationsService(rows, new ConversationLists(mongo), new ConversationAccess(rows), work, clock);
beforeAll(ready);

const owner = aViewer();
const colleague = aViewer(owner.scope.orgId);
const refused = { code: 'chat.conversation-not-found' };

async function begin(viewer: Viewer, id = newId('conversation')): Promise<ConversationId> {
  clock.advance(1_000);
  const now = clock.now();
  const conversation = {
    _id: id,
    orgId: viewer.scope.orgId,
    ...ownedBy(viewer),
    title: 'Leave',
    sequence: 1,
    lastPosition: 0,
    lastAnswerId: null,
    lastRun: 1,
    running: null,
    isDeleted: false,
    deletedAt: null,
    createdAt: now,
    lastActivityAt: now,
    version: 1,
  };
  await work.run(viewer.principal, (tx) => rows.create(viewer.scope, conversation, tx));
  return id;
}
const list = async (viewer: Viewer, query: object = { limit: 50 }) => service.list({ ...viewer, query } as never);
const rename = (viewer: Viewer, conversationId: ConversationId, body: object) =>
  service.rename({ ...viewer, params: { conversationId }, body } as never);
const remove = (viewer: Viewer, conversationId: ConversationId) =>
  service.delete({ ...viewer, params: { conversationId } } as never);
const restore = (viewer: Viewer, conversationId: ConversationId) =>
  service.restore({ ...viewer, params: { conversationId } } as never);
const changesOf = async (id: ConversationId) =>
  (await recorded())
    .filter(({ subject }) => subject === id)
    .map(({ data, sequence }) => [(data as { change: string }).change, sequence]);
const running = () => ({ generationId: newId('generation'), answerId: newId('message') });

test('lists the person’s own chats that aren’t deleted, newest activity first, page by page', async () => {
  const viewer = aViewer(owner.scope.orgId);
  await begin(colleague);
  const [first, second, third] = [await begin(viewer), await begin(viewer), await begin(viewer)];
  await remove(viewer, second);
  const page = await list(viewer, { limit: 1 });
  expect(page.items.map(({ id }) => id)).toEqual([third]);
  const rest = await list(viewer, { limit: 1, cursor: page.nextCursor });
  expect([rest.items.map(({ id }) => id), rest.nextCursor]).toEqual([[first], null]);
});

test('raises the version with a rename and publishes it; a late rename gets the current state', async () => {
  const id = await begin(owner);
  expect(await rename(owner, id, { version: 1, title: 'New' })).toMatchObject({
    title: 'New',
    version: 2,
    sequence: 2,
  });
  await expect(rename(owner, id, { version: 1, title: 'Late' })).rejects.toMatchObject({
    code: 'platform.conflict',
    extras: { current: { title: 'New', version: 2 } },
  });
  expect(await changesOf(id)).toEqual([['renamed', 2]]);
});

test('hides a deleted chat and shows a restored one; repeating either publishes nothing', async () => {
  const id = await begin(owner);
  for (const _ of [1, 2]) await remove(owner, id);
  await expect(rename(owner, id, { version: 2, title: 'Gone' })).rejects.toMatchObject(refused);
  for (const _ of [1, 2]) expect((await restore(owner, id)).id).toBe(id);
  expect(await changesOf(id)).toEqual([
    ['deleted', 2],
    ['restored', 3],
  ]);
});

test('lets nobody else rename, delete or restore a person’s chat', async () => {
  const id = await begin(owner);
  for (const viewer of [colleague, aViewer(undefined, { userId: owner.principal.userId })]) {
    await expect(rename(viewer, id, { version: 1, title: 'Mine' })).rejects.toMatchObject(refused);
    await expect(remove(viewer, id)).rejects.toMatchObject(refused);
    await remove(owner, id);
    await expect(restore(viewer, id)).rejects.toMatchObject(refused);
    await restore(owner, id);
  }
  expect((await list(owner)).items.find((item) => item.id === id)).toMatchObject({ title: 'Leave' });
});

test('treats the id of someone else’s chat as unknown, not as taken', async () => {
  const id = await begin(owner);
  await expect(begin(colleague, id)).rejects.toMatchObject(refused);
  await expect(begin(aViewer(), id)).rejects.toMatchObject(refused);
});

describe('beginning an answer', () => {
  const beginAnswer = (viewer: Viewer, id: ConversationId) =>
    work.run(viewer.principal, (tx) => {
      const begun = { id, sequences: 2, positions: 2, running: running(), now: clock.now() };
      return rows.beginAnswer(viewer.scope, { visible: visibleTo(viewer), begin: begun }, tx);
    });

  test('begins one answer at a time, only in the person’s own chat that isn’t deleted', async () => {
    const id = await begin(owner);
    expect(await beginAnswer(colleague, id)).toBeNull();
    expect(await beginAnswer(owner, id)).toMatchObject({ sequence: 3, lastPosition: 2 });
    expect(await beginAnswer(owner, id)).toBeNull();
    const deleted = await begin(owner);
    await remove(owner, deleted);
    expect(await beginAnswer(owner, deleted)).toBeNull();
  });
});

test('marks a chat as unread in its row once an answer ended that its owner hasn’t seen', async () => {
  const viewer = aViewer();
  const id = await begin(viewer);
  const read = (sequence: number) =>
    service.markRead({ ...viewer, params: { conversationId: id }, body: { sequence } } as never);
  const isUnread = async () => [
    (await list(viewer)).items[0]?.unread,
    (await service.read({ ...viewer, params: { conversationId: id } } as never)).unread,
  ];
  const ends = () =>
    work.run(viewer.principal, (tx) =>
      rows.recordAnswer(
        jobScope('tests'),
        { id, ended: { lastAnswerId: newId('message'), isQueueHeld: false }, now: clock.now() },
        tx,
      ),
    );
  expect(await isUnread()).toEqual([undefined, undefined]);
  const { sequence } = (await ends())!;
  expect(await isUnread()).toEqual([true, true]);
  await read(sequence - 1);
  expect(await isUnread()).toEqual([true, true]);
  expect(await rename(viewer, id, { version: 1, title: 'Herons' })).toMatchObject({ unread: true });
  await read(sequence + 1);
  await read(sequence + 1);
  expect(await isUnread()).toEqual([undefined, undefined]);
  const { userId } = viewer.principal;
  const told = (await recorded()).filter(
    ({ type, subject }) => type === 'conversation.read-marked.v1' && subject === userId,
  );
  expect(told.map(({ data }) => data)).toEqual([
    { orgId: viewer.scope.orgId, conversationId: id, memberIds: [userId], userId, upTo: sequence + 1 },
  ]);
  await ends();
  const { commands, stop } = watchCommands();
  expect((await list(viewer)).items).toMatchObject([{ unread: true }]);
  stop();
  expect(commands.map(({ what }) => what)).toEqual(['conversations.find']);
  expect(await isUnread()).toEqual([true, true]);
  const stranger = { ...aViewer(viewer.scope.orgId), params: { conversationId: id }, body: { sequence: 9 } } as never;
  await expect(service.markRead(stranger)).rejects.toMatchObject(refused);
});
