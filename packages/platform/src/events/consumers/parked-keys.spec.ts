import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countCommands, startTestStore, type TestStore } from '@parley/testing';
import { Mongo } from '../../rows/mongo/index.ts';
import { consumerStoreOf, type ConsumerStore } from './consumer-store.ts';
import { insertKey, parkedAmong } from './parked-keys.ts';

let testStore: TestStore;
let mongo: Mongo;
let store: ConsumerStore;
beforeAll(async () => {
  testStore = await startTestStore();
  mongo = await Mongo.connect(testStore.freshDatabase(), { isAlone: true });
  store = consumerStoreOf(mongo);
  await mongo.applyIndexes();
});
afterAll(async () => {
  await mongo.close();
  await testStore.close();
});

const row = {
  _id: 'counts-herons|heron',
  consumer: 'counts-herons',
  tenant: null,
  state: 'retrying' as const,
  attempts: 1,
  appended: 1,
  nextAttemptAt: new Date(),
  leaseUntil: new Date(0),
};

const keys = [row._id, 'counts-herons|kestrel'];

test('a process that is alone looks for a parked key from the moment at which one is parked', async () => {
  expect(await parkedAmong(store, [row._id])).toEqual(new Set());
  expect(await countCommands(() => parkedAmong(store, keys))).toBe(0);
  await mongo.transaction(async (session) => {
    await insertKey(store, row, session);
    await parkedAmong(store, [row._id]);
  });
  expect(await parkedAmong(store, keys)).toEqual(new Set([row._id]));
  const free = () => store.parkedKeys.deleteOne({ _id: row._id });
  await store.parkedMemory!.write(undefined, free);
  expect(await parkedAmong(store, [row._id])).toEqual(new Set());
});
