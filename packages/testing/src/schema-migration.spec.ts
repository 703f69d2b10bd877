import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Mongo } from '@parley/platform/mongo';
import { SchemaMigration } from '@parley/platform/schema';
import { Schema } from 'mongoose';
import { startTestStore, type TestStore } from './test-store.ts';

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

/** A process of the service with its models, of this or of the next version. */
async function open(
  uri: string,
  version: 'this' | 'next' = 'this',
): Promise<{ mongo: Mongo; migration: SchemaMigration }> {
  const mongo = await Mongo.connect(uri);
  opened.push(mongo);
  const schema = thingSchema().index({ name: 1 }, { unique: true });
  mongo.model<Thing>('Thing', version === 'this' ? schema : schema.index({ name: -1, _id: 1 }));
  return { mongo, migration: new SchemaMigration(mongo) };
}

describe('the schema of a service', () => {
  test('five starters at once end well, and one of them has done it', async () => {
    const uri = store.freshDatabase();
    const starters = await Promise.all(Array.from({ length: 5 }, () => open(uri)));
    const did = await Promise.all(starters.map(({ migration }) => migration.apply()));
    expect(did.filter(Boolean)).toHaveLength(1);
    const [first] = starters;
    expect(Object.keys(await first!.mongo.connection.collection('things').indexInformation())).toEqual([
      '_id_',
      'name_1',
    ]);
    expect(await first!.mongo.connection.collection('schema_lease').countDocuments()).toBe(0);
    expect(await Promise.all(starters.map(({ migration }) => migration.isApplied()))).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
  });

  test('a lease that a dead starter left is taken over once it has ended', async () => {
    const { mongo, migration } = await open(store.freshDatabase());
    await mongo.connection
      .collection<{ _id: string }>('schema_lease')
      .insertOne({ _id: 'schema', holder: 'dead', until: new Date(Date.now() + 600) } as never);
    const startedAt = Date.now();
    expect(await migration.apply()).toBe(true);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(500);
  });

  test('a process waits for its version; after the next one is applied both count', async () => {
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
