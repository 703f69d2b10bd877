import { beforeAll, expect, test } from '@jest/globals';
import { treeBench } from '../testing/tree-bench.spec-setup.ts';
import { aViewer } from '../testing/viewer.spec-setup.ts';
import { MessagePlaces } from './message-places.ts';
import { MessageTrees } from './message-trees.ts';

const bench = await treeBench();
const { mongo, conversations, messages, paths, work } = bench;
const trees = new MessageTrees(conversations, messages, new MessagePlaces(conversations, messages, paths, work), mongo);
beforeAll(bench.ready);

test('corrects places that don’t match the parents, and counts deleted messages', async () => {
  const viewer = aViewer();
  const [misplaced, miscounted, whole] = [await bench.ask(viewer), await bench.ask(viewer), await bench.ask(viewer)];
  for (const asked of [misplaced, miscounted, whole]) await bench.end(viewer, asked);
  const rowOf = async (asked: typeof whole) => conversations.find(viewer.scope, asked.conversation.id);
  const params = { conversationId: miscounted.conversation.id, messageId: miscounted.answer.id };
  await bench.deleting.delete({ ...viewer, params } as never);
  const change = (name: string, id: string, set: object) =>
    mongo.connection.collection(name).updateOne({ _id: id } as never, { $set: set });
  await change('messages', misplaced.answer.id, { place: 7_000_009 });
  await change('conversations', miscounted.conversation.id, { deletions: 5 });
  const before = await rowOf(whole);
  const { looked, mended } = await trees.mend();
  expect([looked, mended]).toEqual([3, [misplaced.conversation.id, miscounted.conversation.id]]);
  expect(await paths.locate(viewer.scope, misplaced.conversation.id, misplaced.answer.id)).toMatchObject({
    place: 1_000_002,
    forks: [],
  });
  expect(await rowOf(miscounted)).toMatchObject({ deletions: 1 });
  expect(await rowOf(whole)).toEqual(before);
  expect(await trees.mend()).toEqual({ looked: 3, mended: [] });
});

test('leaves conversations without places to the migration, which knows what people saw', async () => {
  const viewer = aViewer();
  const { conversation } = await bench.ask(viewer);
  const rows = mongo.connection.collection('messages');
  const where = { conversationId: conversation.id } as never;
  await rows.updateMany(where, { $unset: { place: 1, forks: 1 } });
  const lines = mongo.connection.collection('conversations');
  await lines.updateOne({ _id: conversation.id } as never, { $unset: { lastRun: 1 } });
  expect((await trees.mend()).mended).toEqual([]);
  expect(await rows.countDocuments({ ...(where as object), place: { $exists: true } })).toBe(0);
});

test('places a chat as its person saw it, if an older version began it after the migration', async () => {
  const viewer = aViewer();
  const { conversation, answer } = await bench.ask(viewer);
  const rows = mongo.connection.collection('messages');
  await rows.updateMany({ conversationId: conversation.id } as never, { $unset: { place: 1, forks: 1 } });
  const lines = mongo.connection.collection('conversations');
  await lines.updateOne({ _id: conversation.id } as never, { $unset: { lastRun: 1 } });
  const migrations = mongo.connection.collection('data_migrations');
  await migrations.insertOne({ _id: 'message-tree', cursor: null, isDone: true } as never);
  try {
    expect((await trees.mend()).mended).toContain(conversation.id);
    const placed = await paths.locate(viewer.scope, conversation.id, answer.id);
    expect(placed).toMatchObject({ place: 1_000_002, forks: [] });
    expect((await trees.mend()).mended).toEqual([]);
  } finally {
    await migrations.deleteOne({ _id: 'message-tree' } as never);
  }
});
