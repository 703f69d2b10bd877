import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { orgId, type OrgId } from '@parley/protocol';
import { collection, jobScope, Mongo, type OrganisationScope, type Rows, type ScopedRows } from './index.ts';
import { z } from 'zod';
import { anOrgId, startTestStore, type TestStore } from '@parley/testing';

const noteRows = collection(
  'notes',
  { _id: z.string(), orgId, text: z.string() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, _id: 1 }] },
);
type Note = { _id: string; orgId: OrgId; text: string };
type Notes = ScopedRows<Note>;

const job = jobScope('tests');
let store: TestStore;
let uri: string;
let mongo: Mongo;
let notes: Rows<typeof noteRows>;
/** Writes to the same database past the cache: only reads from the store see it. */
let unseen: Mongo;
beforeAll(async () => {
  store = await startTestStore();
  uri = store.freshDatabase();
  mongo = await Mongo.connect(uri, { isAlone: true });
  unseen = await Mongo.connect(uri);
  notes = mongo.rows(noteRows);
  await mongo.applyIndexes();
});
afterAll(async () => {
  await mongo.close();
  await unseen.close();
  await store.close();
});

const textsOf = (scope: OrganisationScope, from = notes): Promise<string[]> =>
  from.recall(scope, 'texts', async (rows) => (await rows.find({}, { sort: { _id: 1 } })).map(({ text }) => text));

/** Creates an organisation with one note, which is cached; the store has another text of it. */
async function remembered() {
  const org = anOrgId();
  const scope = job.in(org);
  const [first, second] = [`1-${org}`, `2-${org}`];
  await notes.within(scope).insert({ _id: first, orgId: org, text: 'old' });
  expect(await textsOf(scope)).toEqual(['old']);
  await unseen
    .rows(noteRows)
    .within(scope)
    .update({ _id: first }, { $set: { text: 'stored' } });
  return { org, scope, first, second };
}

test('doesn’t read again for the same scope and question', async () => {
  const { scope } = await remembered();
  expect(await textsOf(scope)).toEqual(['old']);
  expect(await notes.recall(scope, 'count', (rows) => rows.count({}))).toBe(1);
  expect(await textsOf(job.in(anOrgId()))).toEqual([]);
});

test.each<[string, (rows: Notes, ids: { org: OrgId; first: string; second: string }) => Promise<unknown>]>([
  ['an insert', (rows, { org, second }) => rows.insert({ _id: second, orgId: org, text: 'new' })],
  ['inserts', (rows, { org, second }) => rows.insertMany([{ _id: second, orgId: org, text: 'new' }])],
  ['an insert once', (rows, { org, second }) => rows.insertOnce({ _id: second, orgId: org, text: 'new' })],
  ['an update', (rows, { second }) => rows.update({ _id: second }, { $set: { text: 'new' } })],
  ['updates', (rows) => rows.updateMany({ text: 'new' }, { $set: { text: 'newer' } })],
  [
    'an update each',
    (rows, { second }) => rows.updateEach([{ filter: { _id: second }, change: { $set: { text: '' } } }]),
  ],
  ['a change', (rows, { second }) => rows.change({ _id: second }, { $set: { text: 'new' } })],
  ['an upsert', (rows, { second }) => rows.upsert({ _id: second }, { $set: { text: 'new' } })],
  [
    'an upsert each',
    (rows, { second }) => rows.upsertEach([{ filter: { _id: second }, change: { $set: { text: 'new' } } }]),
  ],
  ['a delete', (rows, { second }) => rows.delete({ _id: second })],
  ['deletes', (rows) => rows.deleteMany({ text: 'new' })],
])('%s makes it forgotten', async (_what, write) => {
  const { scope, ...ids } = await remembered();
  await write(notes.within(scope), ids);
  expect((await textsOf(scope))[0]).toBe('stored');
});

test('a job that writes for all tenants clears the cache', async () => {
  const { scope } = await remembered();
  await notes.within(job).updateMany({ _id: 'nothing' }, { $set: { text: 'new' } });
  expect(await textsOf(scope)).toEqual(['stored']);
});

test('reads from the store after a write in a transaction until the transaction has ended', async () => {
  const { scope, first } = await remembered();
  await mongo.transaction(async (session) => {
    const tx = { session, now: new Date(), record: () => undefined, queue: () => undefined, cancel: () => undefined };
    await notes.within(scope, tx).update({ _id: first }, { $set: { text: 'written' } });
    expect(await textsOf(scope)).toEqual(['stored']);
    expect(await textsOf(scope)).toEqual(['stored']);
  });
  expect(await textsOf(scope)).toEqual(['written']);
  await unseen
    .rows(noteRows)
    .within(scope)
    .update({ _id: first }, { $set: { text: 'unseen' } });
  expect(await textsOf(scope)).toEqual(['written']);
});

test('doesn’t cache the writes of a failed transaction', async () => {
  const { scope, first } = await remembered();
  const failing = mongo.transaction(async (session) => {
    const tx = { session, now: new Date(), record: () => undefined, queue: () => undefined, cancel: () => undefined };
    await notes.within(scope, tx).update({ _id: first }, { $set: { text: 'undone' } });
    throw new Error('not this time');
  });
  await expect(failing).rejects.toThrow('not this time');
  expect(await textsOf(scope)).toEqual(['stored']);
});

test('doesn’t cache a read that began before the end of a write', async () => {
  const { scope, first } = await remembered();
  const goesOn = Promise.withResolvers<void>();
  const slow = notes.recall(scope, 'slowly', async (rows) => {
    const found = await rows.find({});
    await goesOn.promise;
    return found.map(({ text }) => text);
  });
  await notes.within(scope).update({ _id: first }, { $set: { text: 'written' } });
  goesOn.resolve();
  expect(await slow).toHaveLength(1);
  expect(await notes.recall(scope, 'slowly', async (rows) => (await rows.find({})).map(({ text }) => text))).toEqual([
    'written',
  ]);
});

test('caches nothing if other processes write', async () => {
  const { scope } = await remembered();
  expect(await textsOf(scope, unseen.rows(noteRows))).toEqual(['stored']);
});
