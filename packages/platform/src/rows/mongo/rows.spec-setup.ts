import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestStore, type TestStore } from '@parley/testing';
import { newId } from '../../base/ids/index.ts';
import { eachRow, isDuplicateKey, type Mongo, type Rows } from './index.ts';
import { describePages } from './row-pages.spec-setup.ts';
import {
  aNote,
  job,
  me,
  mine,
  noteRows,
  officeRows,
  settingRows,
  theirs,
  wordRows,
} from './rows-of-notes.spec-setup.ts';

/** Tests what rows guarantee, for each way to access the store. */
export function describeRows(way: string, open: (store: TestStore) => Promise<Mongo>): void {
  describe(`rows ${way}`, () => {
    let store: TestStore;
    let mongo: Mongo;
    let notes: Rows<typeof noteRows>;
    let words: Rows<typeof wordRows>;

    beforeAll(async () => {
      store = await startTestStore();
    });
    afterAll(() => store.close());
    beforeEach(async () => {
      mongo = await open(store);
      notes = mongo.rows(noteRows);
      mongo.rows(officeRows);
      words = mongo.rows(wordRows);
      await mongo.applyIndexes();
      await notes.within(job).insertMany([aNote('mine'), aNote('theirs', { orgId: theirs, authorId: newId('user') })]);
    });
    afterEach(() => mongo.close());

    describe('rows with keys', () => {
      const row = { _id: 'word', orgId: mine, text: 'a heron', at: new Date(0), searchKeys: ['a', 'heron'] };
      const { searchKeys, ...read } = row;

      test('are found by them, and read without them, whatever reads', async () => {
        const rows = words.within(job.in(mine));
        await rows.insert(row);
        const page = await rows.page({ limit: 1 }, { by: { at: -1 }, to: (found) => found });
        const each: unknown[] = [];
        for await (const found of eachRow(rows)) each.push(found);
        const reads = [
          ...(await rows.find({ searchKeys: 'heron' })),
          await rows.findOne({ searchKeys: 'heron' }),
          await rows.findById('word'),
          ...page.items,
          ...each,
          (await rows.insertOnce(row)).row,
          await rows.change({ _id: 'word' }, { $set: { text: 'a heron' } }),
        ];
        expect(reads).toEqual(Array.from({ length: 7 }, () => read));
      });

      test('keys are read when they are named', async () => {
        const rows = words.within(job.in(mine));
        await rows.insert(row);
        expect(await rows.find({ _id: 'word' }, { fields: ['searchKeys'] })).toEqual([{ _id: 'word', searchKeys }]);
      });
    });

    describe('rows within a scope', () => {
      test("a scope of an organisation, a person or a job reads no other tenant's", async () => {
        const idsIn = async (scope: Parameters<typeof notes.within>[0]) =>
          (await notes.within(scope).find({}, { sort: { _id: 1 } })).map((row) => row._id);
        expect(await idsIn(job.in(mine))).toEqual(['mine']);
        expect(await idsIn(job.in(theirs))).toEqual(['theirs']);
        expect(await idsIn(job.of(me))).toEqual(['mine']);
        expect(await idsIn(job)).toEqual(['mine', 'theirs']);
      });

      test("no read, change or deletion reaches another tenant's row, whatever its filter says", async () => {
        const rows = notes.within(job.in(mine));
        const filters = [{ _id: 'theirs' }, { orgId: theirs }, { $or: [{ orgId: theirs }, { _id: 'theirs' }] }];
        for (const filter of filters) {
          expect(await rows.find(filter)).toEqual([]);
          expect(await rows.findOne(filter)).toBeNull();
          expect(await rows.exists(filter)).toBe(false);
          expect(await rows.count(filter)).toBe(0);
          expect(await rows.countBy(filter, ['kind'])).toEqual([]);
          expect(await rows.update(filter, { $set: { text: 'x' } })).toBe(false);
          expect(await rows.updateMany(filter, { $set: { text: 'x' } })).toBe(0);
          expect(await rows.change(filter, { $set: { text: 'x' } })).toBeNull();
          await rows.updateEach([{ filter, change: { $set: { text: 'x' } } }]);
          await rows.upsertEach([{ filter, change: { $set: { text: 'x' } } }]).catch(() => undefined);
          expect(await rows.delete(filter)).toBe(false);
          expect(await rows.deleteMany(filter)).toBe(0);
        }
        expect(await rows.findById('theirs')).toBeNull();
        expect(await notes.within(job).findById('theirs')).toMatchObject({ text: 'text of theirs' });
      });

      test('are counted by what they have in common', async () => {
        const rows = notes.within(job.in(mine));
        await rows.insertMany([aNote('a', { slug: 'one' }), aNote('b', { slug: 'two' })]);
        const counted = await rows.countBy({ kind: 'short' }, ['kind', 'slug']);
        expect(counted.toSorted((a, b) => `${a.of.slug}`.localeCompare(`${b.of.slug}`))).toEqual(
          [null, 'one', 'two'].map((slug) => ({ of: { kind: 'short', slug }, count: 1 })),
        );
      });

      test('rows of nineteen megabytes are inserted and changed at once', async () => {
        const rows = notes.within(job.in(mine));
        const text = 'x'.repeat(6_250_000);
        const names = ['1', '2', '3'];
        await rows.insertMany(names.map((name) => ({ ...aNote(name), text })));
        await rows.updateEach(names.map((name) => ({ filter: { _id: name }, change: { $set: { text: `${text}y` } } })));
        const found = await rows.find({ _id: { $in: names } });
        expect(found.map((row) => row.text.length)).toEqual(names.map(() => 6_250_001));
      });

      test('a transaction reads what it has done, and all of it is undone when it fails', async () => {
        const failing = mongo.transaction(async (session) => {
          const rows = notes.within(job.in(mine), { session } as never);
          await rows.insert(aNote('new'));
          await rows.update({ _id: 'mine' }, { $set: { text: 'changed' } });
          expect([await rows.count({}), (await rows.findById('mine'))?.text]).toEqual([2, 'changed']);
          throw new Error('undone');
        });
        await expect(failing).rejects.toThrow('undone');
        const rows = notes.within(job.in(mine));
        expect([await rows.count({}), (await rows.findById('mine'))?.text]).toEqual([1, 'text of mine']);
      });

      test("another tenant's row is not inserted, and no row is given away", async () => {
        const rows = notes.within(job.in(mine));
        const foreign = aNote('new', { orgId: theirs });
        await expect(rows.insert(foreign)).rejects.toThrow('belongs to another tenant');
        await expect(rows.insertMany([aNote('own'), foreign])).rejects.toThrow('belongs to another tenant');
        await expect(rows.insertOnce(foreign)).rejects.toThrow('belongs to another tenant');
        await expect(rows.update({ _id: 'mine' }, { $set: { orgId: theirs } })).rejects.toThrow(
          'given to another tenant',
        );
        await expect(rows.upsert({ _id: 'n' }, { $setOnInsert: { orgId: theirs } })).rejects.toThrow('another tenant');
        expect(await rows.count({})).toBe(1);
      });

      test('a row whose id is the tenant is reached by no other id', async () => {
        const offices = mongo.rows(officeRows);
        await offices.within(job.in(mine)).upsert({}, { $set: { size: 3 } });
        expect(await offices.within(job.in(mine)).findById(mine)).toEqual({ _id: mine, size: 3 });
        expect(await offices.within(job.in(theirs)).findById(mine)).toBeNull();
        expect(await offices.within(job.in(mine)).findById(theirs)).toBeNull();
      });

      test.each<[string, unknown]>([
        ['an object that looks like one', { orgId: mine }],
        ['a copy of one', { ...job.in(mine) }],
        ['a heir of one', Object.create(job.in(mine))],
        ['one from JSON', JSON.parse(JSON.stringify(job))],
        ['a job that names itself', { platform: 'all' }],
      ])('%s is no scope', (_case, forged) => {
        expect(() => notes.within(forged as never)).toThrow('no tenant scope');
      });

      test('a scope for which the collection has no field is refused', () => {
        // @ts-expect-error -- offices belong to organisations, not to people
        expect(() => mongo.rows(officeRows).within(job.of(me))).toThrow('No field of offices');
        // @ts-expect-error -- settings belong to nobody
        expect(() => mongo.rows(settingRows).within(job.in(mine))).toThrow('No field of settings');
      });
    });

    describe('a collection', () => {
      test.each<[string, object]>([
        ['a wrong type', { text: 1 }],
        ['a missing field', { at: undefined }],
        ['a value that is none of those', { kind: 'medium' }],
        ['an id of another kind', { authorId: mine }],
        ['an unknown field', { colour: 'red' }],
      ])('refuses a row with %s', async (_case, fault) => {
        const row = { ...aNote('new'), ...fault } as never;
        await expect(notes.within(job).insert(row)).rejects.toThrow();
        expect(await notes.within(job).findById('new')).toBeNull();
      });

      test('has its indexes: what is unique is refused by the store', async () => {
        const rows = notes.within(job.in(mine));
        await rows.insert(aNote('one', { slug: 'same' }));
        const refused = await rows.insert(aNote('two', { slug: 'same' })).catch((error: unknown) => error);
        expect([isDuplicateKey(refused), isDuplicateKey(refused, 'slug'), isDuplicateKey(refused, '_id')]).toEqual([
          true,
          true,
          false,
        ]);
      });

      // Runs on the embedded store only: its test guard rejects queries without an index, MongoDB answers them.
      const onEmbedded = process.env['MONGO_URL'] === undefined ? test : test.skip;
      onEmbedded('in the tests a query that no index narrows fails', async () => {
        const rows = notes.within(job);
        const failing = 'a query on .*notes by text uses no index';
        await expect(rows.find({ text: 'x' })).rejects.toThrow(new RegExp(failing));
        await expect(rows.count({ text: 'x' })).rejects.toThrow(new RegExp(failing));
        await expect(rows.update({ text: 'x' }, { $set: { kind: 'long' } })).rejects.toThrow(new RegExp(failing));
        await expect(rows.change({ text: 'x' }, { $set: { kind: 'long' } })).rejects.toThrow(new RegExp(failing));
        await expect(rows.deleteMany({ text: 'x' })).rejects.toThrow(new RegExp(failing));
        // Sorting by an index that the conditions don't use reads the whole index, too.
        await expect(rows.find({ text: 'x' }, { sort: { _id: 1 } })).rejects.toThrow(new RegExp(failing));
      });
    });

    describe('an insert that may be repeated', () => {
      const inTransaction = <Result>(act: (tx: Parameters<typeof notes.within>[1]) => Promise<Result>) =>
        mongo.transaction((session) => act({ session } as never));

      test('returns what is there when the id repeats within the tenant', async () => {
        const rows = notes.within(job.in(mine));
        expect(await rows.insertOnce(aNote('once'))).toMatchObject({ isNew: true });
        const again = await rows.insertOnce({ ...aNote('once'), text: 'another' });
        expect(again).toMatchObject({ isNew: false, row: { text: 'text of once' } });
      });

      test("with another tenant's id is a conflict", async () => {
        const repeated = aNote('theirs');
        await expect(notes.within(job.in(mine)).insertOnce(repeated)).rejects.toMatchObject({
          code: 'platform.conflict',
        });
        await expect(inTransaction((tx) => notes.within(job.in(mine), tx).insertOnce(repeated))).rejects.toMatchObject({
          code: 'platform.conflict',
        });
      });

      test('at the same time as its repetition is made once', async () => {
        const made = await Promise.all(
          ['a', 'b', 'c'].map((text) =>
            inTransaction((tx) => notes.within(job.in(mine), tx).insertOnce({ ...aNote('race'), text })),
          ),
        );
        expect(made.filter(({ isNew }) => isNew)).toHaveLength(1);
        expect(new Set(made.map(({ row }) => row.text)).size).toBe(1);
      });
    });

    describePages(() => notes);
  });
}
