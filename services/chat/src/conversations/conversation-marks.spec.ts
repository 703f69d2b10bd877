import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { testStore } from '@parley/testing';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { ConversationAccess, ownedBy, visibleTo, type Viewer } from './access.ts';
import { isUnread } from './conversation.ts';
import { conversationRows } from './conversation.collection.ts';
import { ConversationLists } from './conversation-lists.ts';
import { ConversationMarks } from './conversation-marks.ts';
import { ConversationsRepository } from './conversations.repository.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const rows = new ConversationsRepository(mongo);
const lists = new ConversationLists(mongo);
const marks = new ConversationMarks(mongo, new ConversationAccess(rows), work);
beforeAll(ready);

const anOwner = () => aViewer();
async function begin(viewer: Viewer): Promise<ConversationId> {
  clock.advance(1_000);
  const [id, now] = [newId('conversation'), clock.now()];
  const none = { lastPosition: 0, lastAnswerId: null, lastRun: 0, running: null, isDeleted: false, deletedAt: null };
  const conversation = { _id: id, orgId: viewer.scope.orgId, ...ownedBy(viewer), title: 'Leave', sequence: 1, ...none };
  await work.run(viewer.principal, (tx) =>
    rows.create(viewer.scope, { ...conversation, createdAt: now, lastActivityAt: now, version: 1 }, tx),
  );
  return id;
}
const mark = async (viewer: Viewer, conversationIds: ConversationId[], wanted: object) =>
  (await marks.markMany({ ...viewer, body: { conversationIds, ...wanted } } as never)).results.map(({ code }) => code);
const listed = async (viewer: Viewer, only?: 'pinned' | 'archived') => {
  const query = { limit: 50, only };
  return (await lists.list(viewer.scope, { query, visible: visibleTo(viewer), to: ({ _id }) => _id })).items;
};
const told = async (id: ConversationId) =>
  (await recorded())
    .filter(({ subject, type }) => subject === id && type === 'conversation.marked.v1')
    .map(({ data, sequence }) => ({ ...(data as { pinned: boolean; archived: boolean }), sequence }));

test('lists pinned chats in their own list too, and archived chats only in theirs', async () => {
  const owner = anOwner();
  const [first, second, third] = [await begin(owner), await begin(owner), await begin(owner)];
  expect(await mark(owner, [first], { pinned: true })).toEqual([null]);
  expect(await mark(owner, [second], { archived: true })).toEqual([null]);
  expect(await listed(owner)).toEqual([third, first]);
  expect(await listed(owner, 'pinned')).toEqual([first]);
  expect(await listed(owner, 'archived')).toEqual([second]);
  await mark(owner, [first], { pinned: false });
  await mark(owner, [second], { archived: false });
  expect(await listed(owner)).toEqual([third, second, first]);
});

test('unpins an archived chat, and takes a pinned one out of the archive', async () => {
  const owner = anOwner();
  const id = await begin(owner);
  await mark(owner, [id], { pinned: true });
  await mark(owner, [id], { archived: true });
  expect([await listed(owner, 'pinned'), await listed(owner, 'archived')]).toEqual([[], [id]]);
  await mark(owner, [id], { pinned: true });
  expect([await listed(owner, 'pinned'), await listed(owner, 'archived')]).toEqual([[id], []]);
});

test('marks a chat as unread and as read, refuses a chat without an ended answer, and publishes only changes', async () => {
  const owner = anOwner();
  const [answered, empty] = [await begin(owner), await begin(owner)];
  const conversations = mongo.rows(conversationRows).within(owner.scope);
  await conversations.update({ _id: answered }, { $set: { answersEnded: 3, answersSeen: 3 } });
  const unread = async () => {
    const found = await conversations.find({ _id: { $in: [answered, empty] } }, {});
    return found.filter(isUnread).map(({ _id }) => _id);
  };
  expect(await mark(owner, [answered, empty], { unread: true })).toEqual([null, null]);
  expect(await unread()).toEqual([answered]);
  await mark(owner, [answered], { unread: true });
  await mark(owner, [answered], { pinned: true });
  expect(await unread()).toEqual([answered]);
  await mark(owner, [answered], { unread: false });
  expect(await unread()).toEqual([]);
  expect([await told(answered), await told(empty)].map(({ length }) => length)).toEqual([3, 0]);
});

test('publishes each change once with its own sequence, and nothing without a change', async () => {
  const owner = anOwner();
  const id = await begin(owner);
  await mark(owner, [id, id], { pinned: true });
  await mark(owner, [id], { pinned: true });
  await mark(owner, [id], { archived: true });
  expect(await told(id)).toMatchObject([
    { pinned: true, archived: false, sequence: 2 },
    { pinned: false, archived: true, sequence: 3 },
  ]);
});

test('changes the other chats if one is a colleague’s, deleted or unknown', async () => {
  const owner = anOwner();
  const colleague = aViewer(owner.scope.orgId);
  const [own, deleted, theirs] = [await begin(owner), await begin(owner), await begin(colleague)];
  const gone = { visible: visibleTo(owner), id: deleted, now: clock.now(), eraseAt: clock.now() };
  await work.run(owner.principal, (tx) => rows.delete(owner.scope, gone, tx));
  const missing = 'chat.conversation-not-found';
  const wanted = [theirs, deleted, newId('conversation'), own];
  expect(await mark(owner, wanted, { pinned: true })).toEqual([missing, missing, missing, null]);
  expect(await listed(colleague, 'pinned')).toEqual([]);
});

test('takes a chat out of the archive when its owner asks a question', async () => {
  const owner = anOwner();
  const id = await begin(owner);
  await mark(owner, [id], { archived: true });
  const running = { generationId: newId('generation'), answerId: newId('message') };
  const asked = { id, sequences: 1, positions: 2, running, now: clock.now() };
  await work.run(owner.principal, (tx) =>
    rows.beginAnswer(owner.scope, { visible: visibleTo(owner), begin: asked }, tx),
  );
  expect(await listed(owner)).toEqual([id]);
});
