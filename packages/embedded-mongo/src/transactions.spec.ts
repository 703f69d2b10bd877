import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient, type ClientSession, type Collection } from 'mongodb';
import { startEmbeddedMongo } from './index.ts';
import { startTestServer, type TestServer } from './test-server.spec-setup.ts';

type Item = { _id: number; mail?: string; n?: number };
const conflict = { code: 112, errorLabels: ['TransientTransactionError'] };

describe('a unique key', () => {
  let server: TestServer;
  let items: Collection<Item>;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    items = server.client.db('test').collection('items');
    await items.drop();
    await items.createIndex({ mail: 1 }, { unique: true });
  });
  const begin = (): ClientSession => {
    const session = server.client.startSession();
    session.startTransaction();
    return session;
  };
  const stored = () => items.find().sort({ _id: 1 }).toArray();

  test('that an open transaction has freed is taken by no other one: it may come back', async () => {
    await items.insertOne({ _id: 1, mail: 'a' });
    const [freeing, taking] = [begin(), begin()];
    await items.updateOne({ _id: 1 }, { $set: { mail: 'b' } }, { session: freeing });
    await expect(items.insertOne({ _id: 2, mail: 'a' }, { session: taking })).rejects.toMatchObject(conflict);
    const plain = items.insertOne({ _id: 3, mail: 'a' });
    await freeing.abortTransaction();
    await expect(plain).rejects.toMatchObject({ code: 11000 });
    expect(await stored()).toEqual([{ _id: 1, mail: 'a' }]);
    await Promise.all([freeing.endSession(), taking.endSession()]);
  });

  test('that a deletion has freed is taken by no other transaction before the commit', async () => {
    await items.insertOne({ _id: 1, mail: 'a' });
    const [freeing, taking] = [begin(), begin()];
    await items.deleteOne({ _id: 1 }, { session: freeing });
    await expect(items.insertOne({ _id: 2, mail: 'a' }, { session: taking })).rejects.toMatchObject(conflict);
    await freeing.commitTransaction();
    await items.insertOne({ _id: 3, mail: 'a' });
    expect(await stored()).toEqual([{ _id: 3, mail: 'a' }]);
    await Promise.all([freeing.endSession(), taking.endSession()]);
  });

  test('that somebody committed after a transaction began is no longer free for it', async () => {
    await items.insertOne({ _id: 1, mail: 'z' });
    const session = begin();
    expect(await items.countDocuments({ mail: 'a' }, { session })).toBe(0);
    await items.insertOne({ _id: 2, mail: 'a' });
    await expect(items.insertOne({ _id: 3, mail: 'a' }, { session })).rejects.toMatchObject(conflict);
    await session.endSession();
    const other = begin();
    await items.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session: other });
    await items.updateOne({ _id: 2 }, { $set: { mail: 'b' } });
    await expect(items.updateOne({ _id: 1 }, { $set: { mail: 'b' } }, { session: other })).rejects.toMatchObject(
      conflict,
    );
    await other.endSession();
    expect(await stored()).toEqual([
      { _id: 1, mail: 'z' },
      { _id: 2, mail: 'b' },
    ]);
  });
});

describe('a commit that is asked for again', () => {
  /** As a driver asks that has lost the reply: it numbers the command by its session. */
  const commitOf = (client: MongoClient, id: ClientSession['id'], txnNumber: number) => {
    const session = client.startSession();
    Object.assign(session.serverSession!, { id, txnNumber });
    return client.db('admin').command({ commitTransaction: 1, autocommit: false }, { session });
  };

  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  test('is answered as the first one, also after a restart; one that never was is not', async () => {
    const server = await startTestServer();
    open.push(server.close);
    const items = server.client.db('test').collection<Item>('items');
    await items.insertOne({ _id: 1, n: 0 });
    const session = server.client.startSession();
    session.startTransaction();
    await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    // Read before the commit: then the driver may give the session to somebody else.
    const { id, txnNumber } = session.serverSession!;
    await session.commitTransaction();
    expect(await commitOf(server.client, id, txnNumber)).toMatchObject({ ok: 1 });
    await server.store.close();
    const again = await startEmbeddedMongo({ file: server.file });
    open.push(() => again.close());
    const client = await MongoClient.connect(again.uri('test'));
    open.push(() => client.close());
    expect(await commitOf(client, id, txnNumber)).toMatchObject({ ok: 1 });
    await expect(commitOf(client, id, txnNumber + 1)).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    expect(await client.db('test').collection<Item>('items').findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
  });
});
