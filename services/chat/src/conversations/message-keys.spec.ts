import { beforeAll, expect, test } from '@jest/globals';
import type { ConversationId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { DataMigrations } from '@parley/platform/schema';
import { searchKeys } from '@parley/platform/text';
import type { OrgId, UserId } from '@parley/protocol';
import { testStore } from '@parley/testing';
import { searchScopeOf } from './access.ts';
import { conversationRows } from './conversation.collection.ts';
import { messageKeys } from './message-keys.ts';
import { messageRows } from './message.collection.ts';

const { mongo, ready } = await testStore();
const messages = mongo.rows(messageRows).within(jobScope('tests'));
mongo.rows(conversationRows);
const collection = mongo.connection.collection('messages');
beforeAll(ready);

type Owned = { readonly orgId: OrgId; readonly ownerId: UserId; readonly conversationId: ConversationId };

/** Stores messages in the form of an earlier version, which began each key with the scope. */
async function oldMessages(texts: readonly string[]): Promise<Owned> {
  const [orgId, ownerId, conversationId] = [newId('organisation'), newId('user'), newId('conversation')];
  await mongo.connection.collection('conversations').insertOne({ _id: conversationId, orgId, ownerId } as never);
  const rows = texts.map((text, position) => ({
    _id: newId('message'),
    orgId,
    conversationId,
    position,
    text,
    searchKeys: searchKeys(text).map((word) => `${orgId}/${ownerId}|${word}`),
  }));
  await collection.insertMany(rows as never);
  return { orgId, ownerId, conversationId };
}
const keysOf = ({ conversationId }: Owned) =>
  messages.find({ conversationId }, { sort: { position: 1 }, fields: ['searchScope', 'searchKeys'] });
const oldIndex = { searchKeys: 1, createdAt: -1, _id: -1 } as const;

test('gives messages short search keys, drops the old index, and changes nothing when repeated', async () => {
  await collection.createIndex(oldIndex);
  const owner = await oldMessages(['Three herons', 'Two owls']);
  await new DataMigrations(mongo, [messageKeys]).run();
  const searchScope = searchScopeOf(owner);
  const keys = await keysOf(owner);
  expect(keys).toMatchObject([
    { searchScope, searchKeys: ['three', 'herons'] },
    { searchScope, searchKeys: ['two', 'owls'] },
  ]);
  expect((await collection.indexes()).map(({ key }) => key)).not.toContainEqual(oldIndex);
  await messageKeys.batch(mongo, null);
  expect(await keysOf(owner)).toEqual(keys);
});

test('continues an interrupted migration: each batch returns the position of the next', async () => {
  const owner = await oldMessages(Array.from({ length: 60 }, (_, at) => `heron number${at}`));
  const rekeyed = async () => (await keysOf(owner)).filter(({ searchScope }) => searchScope !== undefined).length;
  let cursor = await messageKeys.batch(mongo, null);
  expect(await rekeyed()).toBeLessThan(60);
  while (cursor !== null) cursor = await messageKeys.batch(mongo, cursor);
  expect(await rekeyed()).toBe(60);
});
