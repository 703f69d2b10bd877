import { beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { DataMigrations } from '@parley/platform/schema';
import { testStore } from '@parley/testing';
import { defaultConnectionIdOf } from '../connections/index.ts';
import { longestHeading } from './chunk.collection.ts';
import { KeywordIndex } from './keyword-index.ts';
import { passageSearchKeys, passageStems } from './passage-keys.ts';

const { mongo, clock, work, ready } = await testStore();
const index = new KeywordIndex(mongo, clock, work);
const collection = mongo.connection.collection('chunks');
beforeAll(ready);

test('passages of an earlier version are found by short keys, under a heading that was cut; the old index goes', async () => {
  const orgId = newId('organisation');
  await collection.createIndex({ searchKeys: 1, createdAt: -1 });
  const heading = Array.from({ length: 9_000 }, (_, at) => `word${at}`).join(' ');
  const rows = Array.from({ length: 40 }, (_, at) => ({
    _id: newId('chunk'),
    orgId,
    documentId: newId('document'),
    documentName: 'Handbook',
    index: at,
    heading,
    text: `heron number${at}`,
    searchKeys: [`${orgId}|heron`, `${orgId}|number${at}`],
    isHidden: false,
    createdAt: clock.now(),
  }));
  await collection.insertMany(rows as never);
  await new DataMigrations(mongo, [passageSearchKeys]).run();
  const scope = jobScope('tests').in(orgId);
  const found = await index.search(scope, [defaultConnectionIdOf(orgId)], 'number39', 5);
  expect(found.map(({ text }) => text)).toEqual(['heron number39']);
  expect(found[0]?.heading).toBe(heading.slice(0, longestHeading));
  expect((await collection.indexes()).map(({ key }) => key)).not.toContainEqual({ searchKeys: 1, createdAt: -1 });
  const stored = await collection.find({}).toArray();
  await passageSearchKeys.batch(mongo, null);
  expect(await collection.find({}).toArray()).toEqual(stored);
});

test('passages of an earlier version are found by other forms of their words', async () => {
  const scope = jobScope('tests').in(newId('organisation'));
  const connectionId = defaultConnectionIdOf(scope.orgId);
  const passages = Array.from({ length: 30 }, (_, at) => ({
    heading: null,
    text: `The herons of lake ${at} are fishing.`,
  }));
  await index.replace(scope, { id: newId('document'), name: 'Handbook', connectionId }, passages);
  const own = { orgId: scope.orgId };
  await collection.updateMany(own, {
    $set: { searchKeys: ['herons', 'fishing'] },
    $unset: { language: 1, wordCounts: 1 },
  });
  const found = () => index.search(scope, [connectionId], 'Who fishes?', 50);
  expect(await found()).toEqual([]);
  await new DataMigrations(mongo, [passageStems]).run();
  expect((await found()).length).toBeGreaterThan(0);
  expect(await collection.distinct('language', own)).toEqual(['en']);
  expect(await collection.distinct('wordCounts', { ...own, index: 7 })).toEqual([
    '7\nthe 1\nheron 1\nof 1\nlake 1\n7 1\nar 1\nfish 1',
  ]);
});
