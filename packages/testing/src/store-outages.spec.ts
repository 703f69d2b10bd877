import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { isStoreAway, Mongo } from '@parley/platform/mongo';
import { Schema, type Model } from 'mongoose';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import { startStoreSwitch, type StoreSwitch } from './store-switch.ts';
import { startTestStore, type TestStore } from './test-store.ts';

type Row = { _id: string };
const connected = 1;
let store: TestStore;
let way: StoreSwitch;
let mongo: Mongo;
let rows: Model<Row>;

beforeAll(async () => {
  store = await startTestStore();
  way = await startStoreSwitch(store.freshDatabase());
  mongo = await Mongo.connect(way.uri);
  rows = mongo.model<Row>('Row', new Schema<Row>({ _id: String }, { collection: 'rows', versionKey: false }));
  await mongo.applyIndexes();
});
afterEach(() => way.on());
afterAll(async () => {
  await mongo.close();
  await way.close();
  await store.close();
});

const add = (_id: string) => mongo.transaction(async (tx) => void (await rows.create([{ _id }], { session: tx })));
const failureOf = async (work: Promise<unknown>) => {
  const begunAt = Date.now();
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  return { isAway: isStoreAway(error), ms: Date.now() - begunAt };
};
const isConnected = () => mongo.connection.readyState === connected;

test('a store that goes away is noticed within seconds though nobody asks it, and so is that it is back', async () => {
  way.off();
  await eventually(() => !isConnected(), 'it should be noticed', 8_000);
  await way.on();
  await eventually(isConnected, 'it should be noticed again', 8_000);
  await add('one');
  expect(await rows.exists({ _id: 'one' })).not.toBeNull();
});

test('a store that takes connections and says nothing counts as away within ten seconds, whenever somebody asks', async () => {
  way.hang();
  const isSuspectMs = 5_000;
  const asked = Promise.all([
    failureOf(rows.findById('one').lean().exec()),
    failureOf(add('two')),
    wait(isSuspectMs).then(() => failureOf(add('three'))),
  ]);
  await eventually(() => mongo.isAway, 'it should be noticed', 10_000);
  expect((await asked).map(({ isAway, ms }) => [isAway, ms < 25_000])).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
  await way.on();
  await eventually(() => !mongo.isAway, 'it should be noticed', 8_000);
  await add('four');
  expect(await rows.find({ _id: { $in: ['two', 'three'] } }).lean()).toEqual([]);
}, 60_000);

test('whoever asks meanwhile learns after a while that it is the store, in a transaction or not, and can tell in advance', async () => {
  way.off();
  const failures = await Promise.all([failureOf(rows.findById('one').lean().exec()), failureOf(add('five'))]);
  expect(failures.map(({ isAway, ms }) => [isAway, ms < 15_000])).toEqual([
    [true, true],
    [true, true],
  ]);
  expect(mongo.isAway).toBe(true);
  await way.on();
  await eventually(() => !mongo.isAway, 'it should be noticed', 8_000);
}, 30_000);

test('busy processes whose store goes away all find it again, and nobody waits for good', async () => {
  const processes = await Promise.all(Array.from({ length: 10 }, () => Mongo.connect(way.uri)));
  let isBusy = true;
  const ask = async (mongo: Mongo) => {
    const model = mongo.model<Row>('Row', rows.schema);
    while (isBusy)
      await mongo.transaction(async (tx) => void (await model.exists({ _id: 'one' }).session(tx))).catch(() => null);
  };
  const asking = processes.flatMap((each) => [ask(each), ask(each), ask(each)]);
  for (let round = 0; round < 3; round += 1) {
    // A heartbeat is asked for at once when the last one was half a second ago.
    await wait(700);
    way.off();
    await wait(300);
    await way.on();
    await eventually(
      () => processes.every(({ connection }) => connection.readyState === connected),
      'all should find it again',
      8_000,
    );
  }
  isBusy = false;
  await Promise.all(asking);
  await Promise.all(processes.map((each) => each.close()));
}, 60_000);
