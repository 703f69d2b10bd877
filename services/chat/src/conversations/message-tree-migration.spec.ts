import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { DataMigrations } from '@parley/platform/schema';
import { testStore } from '@parley/testing';
import { conversationRows } from './conversation.collection.ts';
import { messageRows } from './message.collection.ts';
import { messageTree } from './message-tree-migration.ts';

const { mongo, ready } = await testStore();
const scope = jobScope('tests');
const conversations = mongo.rows(conversationRows).within(scope);
const messages = mongo.rows(messageRows).within(scope);
beforeAll(ready);

type Line = { readonly id: ConversationId; readonly ids: readonly MessageId[] };

/**
 * Stores a conversation in the form of versions up to 0.2.0: question and text of each message; a minus discards the
 * question.
 */
async function aLine(...rows: readonly (readonly [question: number, text: string])[]): Promise<Line> {
  const [id, orgId] = [newId('conversation'), newId('organisation')];
  const ids = rows.map(() => newId('message'));
  await mongo.connection
    .collection('conversations')
    .insertOne({ _id: id, orgId, running: null, lastPosition: rows.length } as never);
  let newest: MessageId | null = null;
  const stored = rows.map(([question, text], index) => {
    const isQuestion = Math.abs(question) === index + 1;
    const parentId = isQuestion ? newest : ids[question - 1]!;
    if (!isQuestion) newest = ids[index]!;
    return {
      _id: ids[index],
      orgId,
      conversationId: id,
      position: index + 1,
      sequence: index + 1,
      text,
      parentId,
      role: isQuestion ? 'person' : 'assistant',
      createdAt: new Date(index),
      ...(question < 0 && { isDiscarded: true }),
    };
  });
  await mongo.connection.collection('messages').insertMany(stored as never);
  return { id, ids };
}

/** Runs all batches one by one. */
async function migrate(): Promise<void> {
  let cursor: string | null = null;
  do cursor = await messageTree.batch(mongo, cursor);
  while (cursor !== null);
}

async function treeOf({ id, ids }: Line) {
  const rows = await messages.find({ conversationId: id }, { sort: { position: 1 } });
  return rows.map(({ parentId, place, forks, deletedAt }) => ({
    under: parentId ? ids.indexOf(parentId) + 1 : 0,
    place,
    ...(forks?.length && { forks }),
    ...(deletedAt && { deletedAt }),
  }));
}

test('gives a conversation without branches one run, and each version or discarded question another', async () => {
  const line = await aLine([1, 'Q'], [1, 'A'], [3, 'Q'], [3, 'A']);
  const branched = await aLine([1, 'Q'], [1, 'A'], [-3, 'D'], [3, ''], [5, 'Q'], [5, 'A'], [1, 'A again']);
  await new DataMigrations(mongo, [messageTree]).run();
  expect(await treeOf(line)).toEqual([
    { under: 0, place: 1_000_001 },
    { under: 1, place: 1_000_002 },
    { under: 2, place: 1_000_003 },
    { under: 3, place: 1_000_004 },
  ]);
  expect(await treeOf(branched)).toEqual([
    { under: 0, place: 1_000_001 },
    { under: 1, place: 3_000_002, forks: [1_000_001] },
    { under: 7, place: 2_000_003, forks: [1_000_002], deletedAt: expect.any(Date) },
    { under: 3, place: 2_000_004, forks: [1_000_002] },
    { under: 7, place: 1_000_003 },
    { under: 5, place: 1_000_004 },
    { under: 1, place: 1_000_002 },
  ]);
  expect(await conversations.findById(line.id)).toMatchObject({ lastRun: 1 });
  expect(await conversations.findById(branched.id)).toMatchObject({ lastRun: 3, deletions: 1 });
});

test('migrates more than one batch, and changes nothing when repeated', async () => {
  const lines: Line[] = [];
  for (let made = 0; made < 60; made += 1) lines.push(await aLine([1, 'Q'], [1, 'A']));
  await migrate();
  const before = await Promise.all(lines.map(treeOf));
  expect(before.flat().filter(({ place }) => place === undefined)).toEqual([]);
  await migrate();
  expect(await Promise.all(lines.map(treeOf))).toEqual(before);
});

test('completes the migration of a conversation that broke off in the middle', async () => {
  const cut = await aLine(
    [1, 'Q'],
    [1, 'A'],
    [-3, 'D'],
    [3, ''],
    [5, 'Q'],
    [5, 'A'],
    [1, 'A again'],
    [8, 'Q'],
    [8, 'A'],
  );
  await migrate();
  const whole = await treeOf(cut);
  await mongo.connection.collection('conversations').updateOne({ _id: cut.id } as never, { $unset: { lastRun: 1 } });
  const messageId = (number: number) => cut.ids[number - 1]!;
  for (const [question, parent] of [
    [5, 4],
    [8, 7],
  ] as const)
    await mongo.connection
      .collection('messages')
      .updateOne(
        { _id: messageId(question) } as never,
        { $set: { parentId: messageId(parent) }, $unset: { place: 1, forks: 1 } } as never,
      );
  await migrate();
  const anyTime = whole.map((one) => ({ ...one, ...(one.deletedAt && { deletedAt: expect.any(Date) }) }));
  expect(await treeOf(cut)).toEqual(anyTime);
});

test('ends the path at the newest answer, unless an answer is running', async () => {
  const aTalk = () => aLine([1, 'Q'], [1, 'A'], [3, 'Q'], [3, 'A'], [1, 'A again']);
  const [resting, writing] = [await aTalk(), await aTalk()];
  const all = mongo.connection.collection('conversations');
  for (const { id, ids } of [resting, writing])
    await all.updateOne({ _id: id } as never, { $set: { lastAnswerId: ids[4] } } as never);
  const running = { generationId: newId('generation'), answerId: writing.ids[4] };
  await all.updateOne({ _id: writing.id } as never, { $set: { running, lastAnswerId: writing.ids[3] } } as never);
  await migrate();
  expect((await conversations.findById(resting.id))?.lastAnswerId).toBe(resting.ids[3]);
  expect((await conversations.findById(writing.id))?.lastAnswerId).toBe(writing.ids[3]);
});
