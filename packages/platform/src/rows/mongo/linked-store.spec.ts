import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { countCommands, watchCommands } from '@parley/testing';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { collection, isDuplicateKey, isStoreAway, jobScope, Mongo, type Rows } from './index.ts';

const placeRows = collection('places', { _id: z.string(), taken: z.number() }, { tenant: 'platform' });
const visitRows = collection('visits', { _id: z.string(), count: z.number() }, { tenant: 'platform' });
const scope = jobScope('tests');
/** More rows than one response of the store holds. */
const many = 2_500;
/** Stays embedded even when specs run against a MongoDB server: only the embedded store has a link. */
let store: EmbeddedMongo;
let home: string;
let mongo: Mongo;
let places: Rows<typeof placeRows>;
let visits: Rows<typeof visitRows>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'parley-link-'));
  store = await startEmbeddedMongo({ file: join(home, 'store.sqlite') });
});
afterAll(async () => {
  await store.close();
  await rm(home, { recursive: true });
});
beforeEach(async () => {
  mongo = await Mongo.connect(store.uri(`parley_${randomUUID()}`), { link: store.link });
  places = mongo.rows(placeRows);
  visits = mongo.rows(visitRows);
  await mongo.applyIndexes();
});
afterEach(() => mongo.close());

/** Runs `act` on a store without limits, and stops the store. */
async function withOwnStore<Result>(act: (own: Mongo) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-link-'));
  const embedded = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
  const own = await Mongo.connect(embedded.uri('parley_test'), { link: embedded.link });
  try {
    return await act(own);
  } finally {
    await own.close();
    await embedded.close();
    await rm(folder, { recursive: true });
  }
}

const take = (session?: Parameters<Parameters<Mongo['transaction']>[0]>[0]) =>
  places.within(scope, session && { session }).update({ _id: 'one' }, { $inc: { taken: 1 } });

test('transactions that conflict run again until each has succeeded', async () => {
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  let attempts = 0;
  const each = () =>
    mongo.transaction(async (session) => {
      attempts += 1;
      const { taken } = (await places.within(scope, { session }).findById('one'))!;
      await places.within(scope, { session }).update({ _id: 'one' }, { $set: { taken: taken + 1 } });
    });
  await Promise.all(Array.from({ length: 8 }, each));
  expect(await places.within(scope).findById('one')).toEqual({ _id: 'one', taken: 8 });
  expect(attempts).toBeGreaterThan(8);
});

test('a transaction calls whenEnded once, after its last attempt, whether it commits or fails', async () => {
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  const ends: string[] = [];
  let attempts = 0;
  await mongo.transaction(async (session) => {
    attempts += 1;
    if (attempts === 1) session.whenEnded(() => ends.push('committed'));
    await places.within(scope, { session }).findById('one');
    if (attempts === 1) await take();
    await take(session);
    expect(ends).toEqual([]);
  });
  const failing = mongo.transaction(async (session) => {
    session.whenEnded(() => ends.push('failed'));
    await take(session);
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  expect([attempts, ends]).toEqual([2, ['committed', 'failed']]);
  expect(await places.within(scope).findById('one')).toEqual({ _id: 'one', taken: 2 });
});

test('rejects a session after its transaction has ended, and in any other store', async () => {
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  const byDriver = await Mongo.connect(store.uri(`parley_${randomUUID()}`));
  const kept = await mongo.transaction(async (session) => session);
  await expect(take(kept)).rejects.toThrow('has ended');
  const others = byDriver.rows(placeRows);
  await expect(mongo.transaction((session) => others.within(scope, { session }).find({}))).rejects.toThrow(
    'another store',
  );
  await expect(byDriver.transaction((session) => take(session))).rejects.toThrow('another store');
  await byDriver.close();
});

test('a transaction without commands sends nothing to the store', async () => {
  expect(await countCommands(() => mongo.transaction(async () => undefined))).toBe(0);
});

test('returns all rows completely and in order, however many there are', async () => {
  await withOwnStore(async (own) => {
    const names = Array.from({ length: many }, (_, at) => `place ${String(at).padStart(5, '0')}`);
    const rows = own.rows(placeRows).within(scope);
    await rows.insertMany(names.map((_id) => ({ _id, taken: 0 })));
    const found = await rows.find({ _id: { $gte: 'place' } }, { sort: { _id: 1 } });
    expect(found.map(({ _id }) => _id)).toEqual(names);
  });
});

test('a command to a stopped store fails with the error of an unavailable store', async () => {
  const rows = await withOwnStore(async (own) => own.rows(placeRows));
  const refused = await rows
    .within(scope)
    .find({})
    .catch((error: unknown) => error);
  expect(refused).toMatchObject({ message: 'The store has stopped.' });
  expect(isStoreAway(refused)).toBe(true);
});

test('sends the deferred writes of a transaction in one command, even across databases', async () => {
  const other = await Mongo.connect(store.uri(`parley_${randomUUID()}`), { link: store.link });
  const others = mongo.rowsOf(other, placeRows);
  other.rows(placeRows);
  await other.applyIndexes();
  await places.within(scope).insertMany(['one', 'two'].map((_id) => ({ _id, taken: 1 })));
  const { commands, stop } = watchCommands();
  await mongo
    .transaction(async (session) => {
      await places
        .within(scope, { session })
        .later.updateEach([{ filter: { _id: 'one' }, change: { $inc: { taken: 1 } } }]);
      await visits.within(scope, { session }).later.upsert({ _id: 'one' }, { $inc: { count: 1 } });
      await others.within(scope, { session }).later.insertMany([{ _id: 'three', taken: 3 }]);
      await places.within(scope, { session }).later.deleteMany({ _id: 'two' });
    })
    .finally(stop);
  expect(commands.map(({ what }) => what)).toEqual(['bulkWrite', 'commit']);
  expect(await places.within(scope).find({})).toEqual([{ _id: 'one', taken: 2 }]);
  expect(await visits.within(scope).find({})).toEqual([{ _id: 'one', count: 1 }]);
  expect(await other.rows(placeRows).within(scope).find({})).toEqual([{ _id: 'three', taken: 3 }]);
  await other.close();
});

test('a transaction reads its own deferred writes, which are sent before it reads their collection', async () => {
  const { commands, stop } = watchCommands();
  await mongo
    .transaction(async (session) => {
      await places.within(scope, { session }).later.insertMany([{ _id: 'one', taken: 1 }]);
      expect(await visits.within(scope, { session }).find({})).toEqual([]);
      expect(await places.within(scope, { session }).findById('one')).toEqual({ _id: 'one', taken: 1 });
    })
    .finally(stop);
  expect(commands.map(({ what }) => what)).toEqual(['visits.find', 'places.insert', 'places.find', 'commit']);
});

test('a transaction rolls back if a deferred write is refused, and sends none if its callback throws', async () => {
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  const refused = await mongo
    .transaction(async (session) => {
      await visits.within(scope, { session }).later.insertMany([{ _id: 'one', count: 1 }]);
      await places.within(scope, { session }).later.insertMany([{ _id: 'one', taken: 1 }]);
    })
    .catch((error: unknown) => error);
  expect(isDuplicateKey(refused, '_id')).toBe(true);
  const failing = mongo.transaction(async (session) => {
    await visits.within(scope, { session }).later.insertMany([{ _id: 'one', count: 1 }]);
    throw new Error('undone');
  });
  expect(await countCommands(() => expect(failing).rejects.toThrow('undone'))).toBe(0);
  expect(await visits.within(scope).find({})).toEqual([]);
});

test('retries transactions whose deferred writes conflict until all commit', async () => {
  await places.within(scope).insert({ _id: 'one', taken: 0 });
  const each = () =>
    mongo.transaction(async (session) => {
      await visits.within(scope, { session }).later.upsert({ _id: 'one' }, { $inc: { count: 1 } });
      await places
        .within(scope, { session })
        .later.updateEach([{ filter: { _id: 'one' }, change: { $inc: { taken: 1 } } }]);
    });
  await Promise.all(Array.from({ length: 8 }, each));
  expect([await places.within(scope).findById('one'), await visits.within(scope).findById('one')]).toEqual([
    { _id: 'one', taken: 8 },
    { _id: 'one', count: 8 },
  ]);
});

test('splits deferred writes that don’t fit in one command', async () => {
  await withOwnStore(async (own) => {
    const [ownPlaces, ownVisits] = [own.rows(placeRows), own.rows(visitRows)];
    const ids = Array.from({ length: many }, (_, at) => `${String(at).padStart(5, '0')} ${'x'.repeat(4_000)}`);
    await own.transaction(async (session) => {
      await ownPlaces.within(scope, { session }).later.insertMany(ids.map((_id) => ({ _id, taken: 0 })));
      await ownVisits.within(scope, { session }).later.insertMany(ids.map((_id) => ({ _id, count: 0 })));
    });
    expect([await ownPlaces.within(scope).count({}), await ownVisits.within(scope).count({})]).toEqual([many, many]);
  });
});
