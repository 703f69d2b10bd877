import { beforeEach, expect, test } from '@jest/globals';
import { testStore } from '@parley/testing';
import { DataMigrations, renames } from './index.ts';

const { mongo, ready } = await testStore();
await ready();

type Row = { readonly _id: string } & Readonly<Record<string, unknown>>;
const rowsIn = (name: string) => mongo.connection.collection<Row>(name);
const rowsOf = (name: string) => rowsIn(name).find({}).sort({ _id: 1 }).toArray();
const idOf = (at: number) => `c${String(at).padStart(4, '0')}`;
const old = Array.from({ length: 701 }, (_none, at) => ({ _id: idOf(at), stock: 'webhooks', used: at }));
const renamed = old.map(({ stock, ...row }) => ({ ...row, quota: stock }));
const things: Row[] = [
  { _id: 'a', share: 'usr_a', kind: 'held', at: new Date(1) },
  { _id: 'b', flow: 'usr_b', kind: 'settled' },
];

let count = 0;
let [former, now, kept] = ['', '', ''];
let migration = renames('none', []);

beforeEach(async () => {
  count += 1;
  [former, now, kept] = [`former_${count}`, `counters_${count}`, `things_${count}`];
  migration = renames(`words-${count}`, [
    { collection: now, formerly: former, fields: { stock: 'quota' } },
    { collection: kept, fields: { share: 'flow' }, values: { kind: { held: 'reserved' } }, indexes: ['share_1'] },
  ]);
  await rowsIn(former).insertMany(old);
  await rowsIn(kept).insertMany(things);
  await rowsIn(kept).createIndex({ share: 1 });
});

const expectRenamed = async () => {
  expect(await rowsOf(former)).toEqual([]);
  expect(await rowsOf(now)).toEqual(renamed);
  expect(Object.keys(await rowsIn(kept).indexInformation())).toEqual(['_id_']);
  expect((await mongo.connection.listCollections()).map(({ name }) => name)).not.toContain(former);
  expect(await rowsOf(kept)).toEqual([{ _id: 'a', flow: 'usr_a', kind: 'reserved', at: new Date(1) }, things[1]]);
};

test('moves rows to another collection and renames fields and values, whatever else the rows have', async () => {
  await new DataMigrations(mongo, [migration]).run();
  await expectRenamed();
});

test.each(['migration-begun', 'migration-batch-written', 'migration-batch-kept'] as const)(
  'a process killed at each %s loses no row and doubles none, and the next process continues',
  async (name) => {
    for (let kills = 0; kills < 6; kills += 1) {
      // Kills successive processes at their first, second and third step, so that each step is hit once or twice.
      let left = kills % 3;
      const failpoint = async (at: string): Promise<void> => {
        if (at === name && (left -= 1) < 0) throw new Error('killed');
      };
      await new DataMigrations(mongo, [migration], { failpoint }).run().catch(() => undefined);
    }
    await new DataMigrations(mongo, [migration]).run();
    await expectRenamed();
  },
);

test('a process that is killed between copying rows and removing the old ones leaves each row once', async () => {
  await rowsIn(now).insertMany(renamed.slice(0, 500));
  await rowsIn(former).deleteMany({ _id: { $lt: idOf(300) } });
  await new DataMigrations(mongo, [migration]).run();
  await expectRenamed();
});

test('leaves a database unchanged that never had the old names', async () => {
  const other = renames('words-of-nobody', [{ collection: 'new_rows', formerly: 'former_rows' }]);
  await new DataMigrations(mongo, [other]).run();
  expect(await rowsOf('new_rows')).toEqual([]);
});
