import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId, MessageId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { DataMigrations } from '@parley/platform/schema';
import { testStore } from '@parley/testing';
import { conversationRows } from './conversation.collection.ts';
import { messageParents } from './message-parents.ts';
import { messageRows } from './message.collection.ts';

const { mongo, ready } = await testStore();
const scope = jobScope('tests');
const conversations = mongo.rows(conversationRows).within(scope);
const messages = mongo.rows(messageRows).within(scope);
beforeAll(ready);

/** Stores a conversation in the form of an earlier version. */
async function oldConversation(roles: readonly ('person' | 'assistant')[]): Promise<ConversationId> {
  const id = newId('conversation');
  const orgId = newId('organisation');
  await mongo.connection.collection('conversations').insertOne({ _id: id, orgId, running: null } as never);
  let question: MessageId | null = null;
  const rows = roles.map((role, index) => {
    const row = { _id: newId('message'), orgId, conversationId: id, role, position: index + 1 };
    if (role === 'person') question = row._id;
    return { ...row, sequence: index + 1, answerTo: role === 'assistant' ? question : null };
  });
  await mongo.connection.collection('messages').insertMany(rows as never);
  return id;
}

test('places answers below their question, questions below the newest answer before, and keeps new rows', async () => {
  const id = await oldConversation(['person', 'assistant', 'assistant', 'person', 'assistant']);
  const run = new DataMigrations(mongo, [messageParents]);
  await run.run();
  const rows = await messages.find({ conversationId: id }, { sort: { position: 1 } });
  const places = rows.map(({ parentId }) => rows.findIndex(({ _id }) => _id === parentId) + 1);
  expect(places).toEqual([0, 1, 1, 3, 4]);
  expect(rows[0]?.parentId).toBeNull();
  expect((await conversations.findById(id))?.lastAnswerId).toBe(rows[4]?._id);
});

test('migrates more than one batch, and changes nothing when repeated', async () => {
  const ids = await Promise.all(Array.from({ length: 60 }, () => oldConversation(['person', 'assistant'])));
  for (let cursor: string | null = null, round = 0; round < 3; round += 1)
    cursor = await messageParents.batch(mongo, cursor);
  const last = await conversations.findById(ids.toSorted().at(-1)!);
  expect(last?.lastAnswerId).toMatch(/^msg_/);
  await messageParents.batch(mongo, null);
  expect(await conversations.findById(last!._id)).toEqual(last);
});
