import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Mongo } from '../mongo/index.ts';
import { DataMigrations, SchemaMigration, type DataMigration } from './index.ts';
import type { Failpoint } from '../../edge/service/index.ts';
import { Schema } from 'mongoose';
import { eventually, startTestStore, type TestStore } from '@parley/testing';

type Thing = { _id: string; name: string };
const thingSchema = () => new Schema<Thing>({ _id: String, name: String }, { collection: 'things', versionKey: false });

let store: TestStore;
const opened: Mongo[] = [];
beforeAll(async () => {
  store = await startTestStore();
});
afterAll(async () => {
  await Promise.all(opened.map((mongo) => mongo.close()));
  await store.close();
});

/** Opens a process of the service with its models, of this or the next version. */
async function open(
  uri: string,
  version: 'this' | 'next' = 'this',
  migrations: readonly DataMigration[] = [],
): Promise<{ mongo: Mongo; migration: SchemaMigration }> {
  const mongo = await Mongo.connect(uri);
  opened.push(mongo);
  const schema = thingSchema().index({ name: 1 }, { unique: true });
  mongo.model<Thing>('Thing', version === 'this' ? schema : schema.index({ name: -1, _id: 1 }));
  return { mongo, migration: new SchemaMigration(mongo, migrations) };
}

/** Lists the leases that are left; the lease `schema` keeps the first generation out. */
const leasesOf = async ({ connection }: Mongo): Promise<unknown[]> =>
  (await connection.collection('schema_lease').find().toArray()).map(({ _id }) => _id);

describe('the schema of a service', () => {
  test('five processes that start at once succeed, and only one of them applies the schema', async () => {
    const uri = store.freshDatabase();
    const starters = await Promise.all(Array.from({ length: 5 }, () => open(uri)));
    const did = await Promise.all(starters.map(({ migration }) => migration.apply()));
    expect(did.filter(Boolean)).toHaveLength(1);
    const [first] = starters;
    expect(Object.keys(await first!.mongo.connection.collection('things').indexInformation())).toEqual([
      '_id_',
      'name_1',
    ]);
    expect(await leasesOf(first!.mongo)).toEqual(['schema']);
    expect(await Promise.all(starters.map(({ migration }) => migration.isApplied()))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  test('takes over the lease of a dead process once the lease has ended', async () => {
    const { mongo, migration } = await open(store.freshDatabase());
    const until = new Date(Date.now() + 600);
    await mongo.connection
      .collection<{ _id: string }>('schema_lease')
      .insertOne({ _id: 'storage', holder: 'dead', until } as never);
    expect(await migration.apply()).toBe(true);
    expect(Date.now()).toBeGreaterThanOrEqual(until.getTime());
  });

  test('renews the lease of a long migration until it ends', async () => {
    const uri = store.freshDatabase();
    const ends: Date[] = [];
    const slow: DataMigration = {
      name: 'slow',
      title: 'being slow',
      batch: async ({ connection }) => {
        const leases = connection.collection<{ _id: string; until: Date }>('schema_lease');
        const look = async () => (await leases.findOne({ _id: 'storage' }))!.until;
        ends.push(await look());
        const renewed = async () => expect((await look()).getTime()).toBeGreaterThan(ends.at(-1)!.getTime());
        await eventually(renewed, 'the lease should be renewed');
        return ends.length < 2 ? 'more' : null;
      },
    };
    const { mongo } = await open(uri);
    expect(await new SchemaMigration(mongo, [slow], { leaseMs: 300 }).apply()).toBe(true);
    expect(ends).toHaveLength(2);
    expect(await leasesOf(mongo)).toEqual(['schema']);
  });

  test('a process waits for its schema version, which stays valid after the next version is applied', async () => {
    const uri = store.freshDatabase();
    const [now, next] = [await open(uri), await open(uri, 'next')];
    expect(next.migration.version).not.toBe(now.migration.version);
    let isThere = false;
    const waiting = next.migration.untilApplied().then(() => (isThere = true));
    await now.migration.apply();
    expect([await now.migration.isApplied(), await next.migration.isApplied(), isThere]).toEqual([true, false, false]);
    await (await open(uri, 'next')).migration.apply();
    await waiting;
    expect([await now.migration.isApplied(), await next.migration.isApplied()]).toEqual([true, true]);
  });
});

/** Does the same as `parley migrate-schema` of 0.3.0 before its first change. Returns true if it would continue. */
async function olderMayMigrate({ connection }: Mongo, version: string): Promise<boolean> {
  const applied = await connection.collection('schema_state').findOne({ _id: 'schema', versions: version } as never);
  if (applied) return false;
  const now = new Date();
  const lease = { holder: 'older', until: new Date(now.getTime() + 30_000) };
  const where = { _id: 'schema', until: { $lte: now } } as never;
  return connection
    .collection('schema_lease')
    .updateOne(where, { $set: lease }, { upsert: true })
    .then(({ modifiedCount, upsertedCount }) => modifiedCount + upsertedCount === 1)
    .catch(() => false);
}

describe('storage generations', () => {
  const olderVersion = '0123456789abcdef';
  const stateOf = ({ connection }: Mongo) => connection.collection('schema_state').findOne({ _id: 'schema' } as never);

  test('drops the schema versions of the generation before, and keeps older migrations out for good', async () => {
    const { mongo, migration } = await open(store.freshDatabase());
    const states = mongo.connection.collection('schema_state');
    await states.insertOne({ _id: 'schema', versions: [olderVersion], appliedAt: new Date() } as never);
    await migration.apply();
    expect(await stateOf(mongo)).toMatchObject({ versions: [migration.version] });
    expect(await olderMayMigrate(mongo, olderVersion)).toBe(false);
    expect(await migration.isApplied()).toBe(true);
  });

  test('keeps older migrations out from its first change on, even if it is killed at any moment', async () => {
    const uri = store.freshDatabase();
    const { mongo } = await open(uri);
    const states = mongo.connection.collection('schema_state');
    await states.insertOne({ _id: 'schema', versions: [olderVersion], appliedAt: new Date() } as never);
    const dying: DataMigration = {
      name: 'dying',
      title: 'dying',
      batch: async (at) => {
        expect([await olderMayMigrate(at, 'another'), await olderMayMigrate(at, olderVersion)]).toEqual([false, false]);
        expect((await stateOf(at))?.['versions'] ?? []).not.toContain(olderVersion);
        throw new Error('killed');
      },
    };
    await expect((await open(uri, 'this', [dying])).migration.apply()).rejects.toThrow('killed');
    expect(await olderMayMigrate(mongo, olderVersion)).toBe(false);
  });

  test('waits for a migration of an older version that is under way', async () => {
    const { mongo, migration } = await open(store.freshDatabase());
    expect(await olderMayMigrate(mongo, olderVersion)).toBe(true);
    let isDone = false;
    const applying = migration.apply().then(() => (isDone = true));
    await eventually(
      async () => expect(await mongo.connection.collection('schema_lease').countDocuments()).toBe(2),
      'the newer one should wait under a lease of its own',
    );
    expect([isDone, await migration.isApplied()]).toEqual([false, false]);
    await mongo.connection.collection('schema_lease').deleteOne({ _id: 'schema' } as never);
    await applying;
  });

  test('refuses a database of a later storage generation', async () => {
    const { mongo, migration } = await open(store.freshDatabase());
    const later = { _id: 'schema', versions: ['later'], generation: 99, appliedAt: new Date() };
    await mongo.connection.collection('schema_state').insertOne(later as never);
    await expect(migration.apply()).rejects.toThrow('restore the backup');
    expect(await stateOf(mongo)).toEqual(later);
  });
});

describe('DataMigrations', () => {
  const names = Array.from({ length: 10 }, (_none, index) => `thing ${index}`);
  let batches: (string | null)[];
  /** Doubles each name, three names in a batch; runs `between` after each batch, before its progress is stored. */
  const doubling = (between: () => void = () => undefined): DataMigration => ({
    name: 'doubled-names',
    title: 'doubling names',
    walks: 'things',
    batch: async ({ connection }, cursor) => {
      batches.push(cursor);
      const things = connection.collection<Thing>('things');
      const rows = await things
        .find({ _id: { $gt: cursor ?? '' } })
        .sort({ _id: 1 })
        .limit(3)
        .toArray();
      for (const { _id } of rows) await things.updateOne({ _id }, { $set: { name: `${_id} ${_id}` } });
      between();
      return rows.length < 3 ? null : rows.at(-1)!._id;
    },
  });
  const plant = async (uri: string): Promise<void> => {
    const { mongo } = await open(uri);
    await mongo.connection.collection<Thing>('things').insertMany(names.map((name) => ({ _id: name, name })));
  };
  const stored = async (mongo: Mongo): Promise<string[]> =>
    (await mongo.connection.collection<Thing>('things').find().sort({ _id: 1 }).toArray()).map(({ name }) => name);
  const doubled = names.map((name) => `${name} ${name}`);
  beforeEach(() => {
    batches = [];
  });

  test('runs data migrations once in a database, after its indexes, as part of its version', async () => {
    const uri = store.freshDatabase();
    await plant(uri);
    const without = await open(uri);
    await without.migration.apply();
    const { mongo, migration } = await open(uri, 'this', [doubling()]);
    expect([migration.version === without.migration.version, await migration.isApplied()]).toEqual([false, false]);
    expect(await migration.apply()).toBe(true);
    expect([await stored(mongo), await migration.isApplied(), batches]).toEqual([
      doubled,
      true,
      [null, 'thing 2', 'thing 5', 'thing 8'],
    ]);
    await (await open(uri, 'this', [doubling()])).migration.apply();
    await new DataMigrations(mongo, [doubling()]).run();
    expect(batches).toHaveLength(4);
  });

  test('continues data migrations after a kill where they were, and runs the current batch again', async () => {
    const uri = store.freshDatabase();
    await plant(uri);
    const dying = doubling(() => {
      if (batches.length === 2) throw new Error('killed');
    });
    await expect((await open(uri, 'this', [dying])).migration.apply()).rejects.toThrow('killed');
    const { mongo, migration } = await open(uri, 'this', [doubling()]);
    expect(await migration.isApplied()).toBe(false);
    await migration.apply();
    expect([await stored(mongo), batches]).toEqual([doubled, [null, 'thing 2', 'thing 2', 'thing 5', 'thing 8']]);
  });

  test('has failpoints before the first batch, between a batch and its progress, and after the progress', async () => {
    const uri = store.freshDatabase();
    await plant(uri);
    const { mongo } = await open(uri);
    const reached: string[] = [];
    const cursorKept = async () =>
      (await mongo.connection.collection('data_migrations').findOne({}))?.['cursor'] as unknown;
    const failpoint: Failpoint = async (name) =>
      void reached.push(`${name} ${batches.length} ${String(await cursorKept())}`);
    await new DataMigrations(mongo, [doubling()], { failpoint }).run();
    expect(reached.slice(0, 3)).toEqual([
      'migration-begun 0 null',
      'migration-batch-written 1 null',
      'migration-batch-kept 1 thing 2',
    ]);
    expect(reached).toHaveLength(1 + 2 * 4);
    await new DataMigrations(mongo, [doubling()], { failpoint }).run();
    expect(reached).toHaveLength(1 + 2 * 4);
  });

  test('reports what data migrations do and how far they are, and nothing if there is nothing to change', async () => {
    const [uri, empty] = [store.freshDatabase(), store.freshDatabase()];
    await plant(uri);
    const lines: string[] = [];
    const run = async (at: string) => {
      const { mongo } = await open(at);
      const report = (line: string) => void lines.push(line.replace(/parley_\w+|test_\w+/, 'things'));
      await new DataMigrations(mongo, [doubling()], { report, reportEveryMs: 0 }).run();
    };
    for (const at of [empty, uri, uri]) await run(at);
    const line = 'Updating stored data of things: doubling names';
    expect(lines).toEqual([`${line}, 0 of 10`, `${line}, 3 of 10`, `${line}, 6 of 10`, `${line}, 9 of 10`]);
  });

  test('runs data migrations once if two processes start at once', async () => {
    const uri = store.freshDatabase();
    await plant(uri);
    const starters = await Promise.all([1, 2, 3].map(() => open(uri, 'this', [doubling()])));
    const did = await Promise.all(starters.map(({ migration }) => migration.apply()));
    expect([did.filter(Boolean).length, batches.length, await stored(starters[0]!.mongo)]).toEqual([1, 4, doubled]);
  });

  test('gives up data migrations in a process that stood still while another one continued', async () => {
    const uri = store.freshDatabase();
    await plant(uri);
    const { mongo } = await open(uri);
    const overtaken: DataMigration = {
      ...doubling(),
      batch: async (at, cursor) => {
        if (batches.length === 0) await new DataMigrations(mongo, [doubling()]).run();
        return doubling().batch(at, cursor);
      },
    };
    await expect(new DataMigrations(mongo, [overtaken]).run()).rejects.toThrow('taken over');
    expect(await stored(mongo)).toEqual(doubled);
    await new DataMigrations(mongo, [overtaken]).run();
  });
});
