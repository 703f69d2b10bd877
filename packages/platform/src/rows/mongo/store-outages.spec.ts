import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { collection, isStoreAway, jobScope, Mongo } from './index.ts';
import { z } from 'zod';
import { setTimeout as wait } from 'node:timers/promises';
import { eventually, startStoreSwitch, startTestStore, type TestStore } from '@parley/testing';

const thingRows = collection('things', { _id: z.string() }, { tenant: 'platform' });
const scope = jobScope('tests');
const connected = 1;
let store: TestStore;
const closings: (() => Promise<void>)[] = [];

beforeAll(async () => void (store = await startTestStore()));
afterAll(async () => {
  await Promise.all(closings.map((close) => close()));
  await store.close();
});

/** Creates a database behind a switch of its own, so that tests that wait for deadlines can run at the same time. */
async function aWay() {
  const way = await startStoreSwitch(store.freshDatabase());
  const mongo = await Mongo.connect(way.uri);
  const all = mongo.rows(thingRows);
  const rows = all.within(scope);
  await mongo.applyIndexes();
  closings.push(async () => {
    await way.on();
    await mongo.close();
    await way.close();
  });
  const add = (_id: string) => mongo.transaction((session) => all.within(scope, { session }).insert({ _id }));
  return { way, mongo, rows, add, isConnected: () => mongo.connection.readyState === connected };
}

const failsAway = (work: Promise<unknown>): Promise<boolean> => work.then(() => false, isStoreAway);

test.concurrent('notices without a command that the store is unavailable, and that it is back', async () => {
  const { way, rows, add, isConnected } = await aWay();
  way.off();
  await eventually(() => !isConnected(), 'it should be noticed');
  await way.on();
  await eventually(isConnected, 'it should be noticed again');
  await add('one');
  expect(await rows.exists({ _id: 'one' })).toBe(true);
});

test.concurrent('a store that takes connections and doesn’t answer counts as unavailable for every call', async () => {
  const { way, mongo, rows, add } = await aWay();
  way.hang();
  const isSuspectMs = 5_000;
  const asked = Promise.all([
    failsAway(rows.findById('one')),
    failsAway(add('two')),
    wait(isSuspectMs).then(() => failsAway(add('three'))),
  ]);
  await eventually(() => mongo.isAway, 'it should be noticed');
  expect(await asked).toEqual([true, true, true]);
  await way.on();
  await eventually(() => !mongo.isAway, 'it should be noticed');
  await add('four');
  expect(await rows.find({ _id: { $in: ['two', 'three'] } })).toEqual([]);
}, 180_000);

test.concurrent('a waiting caller gets the store’s outage as the error after a while, in a transaction or not, and can check for it before', async () => {
  const { way, mongo, rows, add } = await aWay();
  way.off();
  const areAway = await Promise.all([failsAway(rows.findById('one')), failsAway(add('five'))]);
  expect(areAway).toEqual([true, true]);
  expect(mongo.isAway).toBe(true);
  await way.on();
  await eventually(() => !mongo.isAway, 'it should be noticed');
}, 180_000);

test('busy processes whose store becomes unavailable all find it again, and no call waits for ever', async () => {
  const { way } = await aWay();
  const processes = await Promise.all(Array.from({ length: 10 }, () => Mongo.connect(way.uri)));
  let isBusy = true;
  const ask = async (mongo: Mongo) => {
    const rows = mongo.rows(thingRows);
    while (isBusy)
      await mongo.transaction((session) => rows.within(scope, { session }).findById('one')).catch(() => null);
  };
  const asking = processes.flatMap((each) => [ask(each), ask(each), ask(each)]);
  for (let round = 0; round < 3; round += 1) {
    // Waits until the last heartbeat is over half a second old, so that the driver sends the next one immediately.
    await wait(700);
    way.off();
    await wait(300);
    await way.on();
    await eventually(
      () => processes.every(({ connection }) => connection.readyState === connected),
      'all should find it again',
    );
  }
  isBusy = false;
  await Promise.all(asking);
  await Promise.all(processes.map((each) => each.close()));
}, 180_000);
