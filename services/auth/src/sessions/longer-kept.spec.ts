import { beforeAll, expect, test } from '@jest/globals';
import { testStore } from '@parley/testing';
import { longerKeptSessions } from './longer-kept.ts';
import { sessionRows } from './session.collection.ts';

const { mongo, ready } = await testStore();
mongo.rows(sessionRows);
beforeAll(ready);

test('a store of the first version keeps expired sessions as long as a new one', async () => {
  const sessions = mongo.connection.collection('sessions');
  const names = async () => (await sessions.indexes()).map(({ name }) => name);
  const asNew = await names();
  expect(asNew).toContain('idleUntil_1');
  await sessions.createIndex({ absoluteUntil: 1 }, { expireAfterSeconds: 0 });
  for (const _ of [1, 2]) expect(await longerKeptSessions.batch(mongo, null)).toBeNull();
  expect(await names()).toEqual(asNew);
});
