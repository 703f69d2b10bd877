import { describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { DatabaseSync } from 'node:sqlite';

import { bytesOf, documentOf } from '../bson/value.ts';
import { encodeDocument } from '../bson/write.ts';
import { startTestServer, type TestServer } from '../test-server.spec-setup.ts';
import { startEmbeddedMongo } from '../index.ts';
import { commonParts, storedBytes, storedDocument } from './stored-document.ts';

const aDocument = (text: string) => documentOf(encodeDocument({ _id: 'one', text }));
const noise = Array.from({ length: 2_000 }, (_, at) =>
  String.fromCodePoint(0x4e00 + ((at * at * 7_919) % 20_000)),
).join('');

const plain = { bytes: undefined };
const letters = (seed: number) =>
  Array.from({ length: 400 }, (_, at) => ((seed * 31 + at * at) % 36).toString(36)).join('');

describe('a document', () => {
  test.each([
    ['short', 'a heron'],
    ['long', 'three quiet herons '.repeat(200)],
    ['long and without any order', noise],
  ])('that is %s is read as it was written', (_name, text) => {
    const document = aDocument(text);
    for (const bytes of [undefined, Buffer.alloc(0), commonParts([aDocument(noise), aDocument(noise)])]) {
      const read = storedDocument(storedBytes(document, { bytes }), { bytes });
      expect(bytesOf(read).equals(bytesOf(document))).toBe(true);
    }
  });

  test('is deflated where its collection has a dictionary and that makes it shorter', () => {
    const dictionary = { bytes: Buffer.from('three quiet herons') };
    const [short, long] = [aDocument('a heron'), aDocument('three quiet herons '.repeat(200))];
    expect(storedBytes(short, dictionary)).toBe(bytesOf(short));
    expect(storedBytes(long, plain)).toBe(bytesOf(long));
    expect(storedBytes(long, dictionary).length).toBeLessThan(bytesOf(long).length / 10);
  });
});

test('a dictionary holds what most documents have in common, nothing of one or two of them', () => {
  const documents = [1, 2, 3].map((seed) => aDocument(`the same beginning ${letters(seed)} the same end`));
  const common = commonParts(documents).toString('latin1');
  expect(common).toContain('the same beginning ');
  expect(common).toContain(' the same end');
  expect(common.length).toBeLessThan(100);
  const told = [1, 1, 2, 3, 4, 5].map((seed) => aDocument(`the same beginning ${letters(seed)} the same end`));
  expect(commonParts(told)).toEqual(commonParts(documents));
});

describe('a collection', () => {
  type Note = { _id: number; text: string; n?: number };
  const text = (at: number) => `three quiet herons at ${letters(at)} and three quiet herons at the pond`;
  const all = Array.from({ length: 60 }, (_, at) => ({ _id: at, text: text(at) }));

  test('reads what was written before and after it has learnt, also when it is opened again', async () => {
    const server = await startTestServer();
    const notes = server.client.db('test').collection<Note>('notes');
    for (const note of all) await notes.insertOne({ ...note });
    await notes.updateOne({ _id: 3 }, { $set: { n: 1 } });
    const now = all.map((note) => (note._id === 3 ? { ...note, n: 1 } : note));
    expect(await notes.find({}).toArray()).toEqual(now);
    expect(await readAgain(server)).toEqual(now);
    expect(storedIn(server.file).deflated).toBeGreaterThan(20);
    await server.close();
  });

  test('that learnt in a step that was taken back, and done again, can be read when it is opened again', async () => {
    const server = await startTestServer();
    const notes = server.client.db('test').collection<Note>('notes');
    await notes.insertOne({ _id: -1, text: 'made before' });
    const session = server.client.startSession();
    session.startTransaction();
    await notes.insertOne({ ...all[59]! }, { session });
    const waiting = notes.insertMany(all.map((note) => ({ ...note })));
    await server.client.db('test').command({ ping: 1 });
    await session.abortTransaction();
    await session.endSession();
    await waiting;
    expect(await readAgain(server)).toEqual([{ _id: -1, text: 'made before' }, ...all]);
    expect(storedIn(server.file)).toMatchObject({ dictionaries: 1 });
    await server.close();
  });

  test('reads what a transaction wrote with pauses, before and after it had learnt', async () => {
    const server = await startTestServer();
    const notes = server.client.db('test').collection<Note>('notes');
    await notes.insertMany(all.slice(0, 20).map((note) => ({ ...note })));
    await server.client.withSession((session) =>
      session.withTransaction(async () => {
        for (const note of all.slice(50)) await notes.insertOne({ ...note }, { session });
        await notes.updateOne({ _id: 3 }, { $set: { n: 1 } }, { session });
        await notes.updateOne({ _id: 3 }, { $set: { n: 2 } }, { session });
        await notes.insertMany(all.slice(20, 50).map((note) => ({ ...note })));
        await notes.updateOne({ _id: 55 }, { $set: { n: 3 } }, { session });
      }),
    );
    const now = all.map((note) => ({ ...note, ...(note._id === 3 && { n: 2 }), ...(note._id === 55 && { n: 3 }) }));
    expect(await readAgain(server)).toEqual(now);
    expect(storedIn(server.file).deflated).toBeGreaterThan(20);
    await server.close();
  });

  test('that is dropped and made again has nothing of what was learnt', async () => {
    const server = await startTestServer();
    const notes = server.client.db('test').collection<Note>('notes');
    await notes.insertMany(all.map((note) => ({ ...note })));
    await notes.drop();
    await notes.insertOne({ ...all[0]! });
    expect(storedIn(server.file)).toEqual({ deflated: 0, dictionaries: 0 });
    await server.close();
  });
});

/** What another process would read. */
async function readAgain(server: TestServer): Promise<unknown[]> {
  await server.store.close();
  const again = await startEmbeddedMongo({ file: server.file });
  const client = await MongoClient.connect(again.uri('test'));
  const found = await client
    .db('test')
    .collection('notes')
    .find({}, { sort: { _id: 1 } })
    .toArray();
  await client.close();
  await again.close();
  return found;
}

function storedIn(file: string): { deflated: number; dictionaries: number } {
  const sqlite = new DatabaseSync(file, { readOnly: true });
  const { id } = sqlite.prepare("SELECT id FROM collections WHERE name = 'notes'").get() as { id: number };
  const docs = sqlite.prepare(`SELECT doc FROM c${id}`).all() as { doc: Uint8Array }[];
  const dictionaries = sqlite.prepare('SELECT collection FROM dictionaries').all().length;
  sqlite.close();
  return { deflated: docs.filter(({ doc }) => Buffer.from(doc).readInt32LE(0) < 0).length, dictionaries };
}
