import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { countCommands, startTestStore, type TestStore } from '@parley/testing';
import { Mongo } from '../../rows/mongo/index.ts';
import { consumerStoreOf, type ConsumerStore } from './consumer-store.ts';
import { parkedAmong, ParkedKeys } from './parked-keys.ts';

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

test('a process that runs alone looks for a parked key from the moment one is parked', async () => {
  expect(await parkedAmong(store, [row._id])).toEqual(new Set());
  expect(await countCommands(() => parkedAmong(store, keys))).toBe(0);
  await mongo.transaction(async (session) => {
    await store.parkedKeys({ session }).insert(row);
    await parkedAmong(store, [row._id]);
  });
  expect(await parkedAmong(store, keys)).toEqual(new Set([row._id]));
  await store.parkedKeys().delete({ _id: row._id });
  expect(await parkedAmong(store, [row._id])).toEqual(new Set());
});

test('an event that is appended again keeps its position behind the key, with two commands in all', async () => {
  const herons = new ParkedKeys(store, 'counts-herons');
  const logged = (eventId: string) => ({
    eventId,
    tenant: null,
    type: 'heron.seen.v1',
    subject: 'heron',
    topic: topics.org,
    partition: 0,
    offset: '1',
    envelope: '{}',
  });
  const append = (eventId: string) => store.transaction((tx) => herons.append(logged(eventId), tx));
  await expect(append('first')).rejects.toThrow('was freed');
  await store.transaction((tx) => herons.park(logged('first'), new Date(), tx));
  await append('second');
  await append('third');
  expect(await countCommands(() => append('second'))).toBe(2);
  const waiting = await store.parkedEvents().find({ key: row._id }, { sort: { key: 1, ordinal: 1 } });
  expect(waiting.map(({ eventId }) => eventId)).toEqual(['first', 'second', 'third']);
});
