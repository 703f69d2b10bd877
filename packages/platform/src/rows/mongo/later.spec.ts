import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestStore, type TestStore } from '@parley/testing';
import { newId } from '../../base/ids/index.ts';
import { isDuplicateKey, Mongo, type Rows } from './index.ts';
import { aNote, job, mine, noteRows, theirs } from './rows-of-notes.spec-setup.ts';

let store: TestStore;
beforeAll(async () => void (store = await startTestStore()));
afterAll(() => store.close());

describe.each([
  ["by the embedded store's own way", () => Mongo.connect(store.freshDatabase(), { link: store.link })],
  ['by the driver', () => Mongo.connect(store.freshDatabase())],
])('later writes %s', (_way, open) => {
  let mongo: Mongo;
  let notes: Rows<typeof noteRows>;
  beforeAll(async () => {
    mongo = await open();
    notes = mongo.rows(noteRows);
    await mongo.applyIndexes();
  });
  afterAll(() => mongo.close());

  test('shows deferred writes to their transaction immediately, and to others after the commit', async () => {
    await mongo.transaction(async (session) => {
      const own = notes.within(job.in(mine), { session });
      await own.later.insertMany([aNote('one'), aNote('two')]);
      await own.later.updateEach([{ filter: { _id: 'one' }, change: { $set: { text: 'changed' } } }]);
      await own.later.deleteMany({ _id: 'two' });
      expect(await own.find({}, { fields: ['text'] })).toEqual([{ _id: 'one', text: 'changed' }]);
      expect(await notes.within(job).find({})).toEqual([]);
    });
    expect(await notes.within(job).find({}, { fields: ['text'] })).toEqual([{ _id: 'one', text: 'changed' }]);
  });

  test('changes no row of another tenant by deferred writes', async () => {
    await notes.within(job).insert(aNote('theirs', { orgId: theirs, authorId: newId('user') }));
    await mongo.transaction(async (session) => {
      const { later } = notes.within(job.in(mine), { session });
      await later.updateEach([{ filter: { _id: 'theirs' }, change: { $set: { text: 'changed' } } }]);
      await later.deleteMany({ _id: 'theirs' });
      await expect(later.insertMany([aNote('other', { orgId: theirs })])).rejects.toThrow('another tenant');
    });
    expect(await notes.within(job).findById('theirs')).toMatchObject({ text: 'text of theirs' });
  });

  test('rolls the transaction back if one of its deferred writes is refused', async () => {
    await notes.within(job).insert(aNote('taken'));
    const refused = await mongo
      .transaction(async (session) => {
        const { later } = notes.within(job.in(mine), { session });
        await later.insertMany([aNote('fresh')]);
        await later.insertMany([aNote('taken')]);
      })
      .catch((error: unknown) => error);
    expect(isDuplicateKey(refused, '_id')).toBe(true);
    expect(await notes.within(job).findById('fresh')).toBeNull();
  });

  test('sends deferred writes immediately outside of a transaction', async () => {
    await notes.within(job.in(mine)).later.insertMany([aNote('alone')]);
    expect(await notes.within(job).findById('alone')).not.toBeNull();
  });
});
