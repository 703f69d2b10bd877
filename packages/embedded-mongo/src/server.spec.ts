import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { startTestServer, type TestServer } from './test-server.spec-setup.ts';

type Item = {
  _id: number;
  n?: number;
  x?: number;
  group?: number;
  at?: Date;
  mail?: string;
  until?: unknown;
  price?: unknown;
  code?: unknown;
};

describe('the server', () => {
  let server: TestServer;
  let items: Collection<Item>;
  beforeAll(async () => {
    server = await startTestServer({ maxExaminedDocuments: 500 });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    items = server.client.db('test').collection('items');
    await items.drop();
    await server.client.db('test').createCollection('items');
  });

  const fill = (count: number): Promise<unknown> =>
    items.insertMany(Array.from({ length: count }, (_, id) => ({ _id: id, group: id % 10, at: new Date(id) })));

  test('cursors hand out batches and can be left early', async () => {
    await fill(300);
    const seen: number[] = [];
    for await (const item of items.find().sort({ _id: 1 }).batchSize(7)) seen.push(item._id);
    expect(seen).toEqual(Array.from({ length: 300 }, (_, id) => id));
    const first = await server.client.db('test').command({ find: 'items', batchSize: 2 });
    const { id } = first.cursor as { id: unknown };
    expect(await server.client.db('test').command({ killCursors: 'items', cursors: [id] })).toMatchObject({
      cursorsKilled: [id],
    });
    await expect(server.client.db('test').command({ getMore: id, collection: 'items' })).rejects.toMatchObject({
      code: 43,
    });
  });

  test('a cursor survives writes between its batches and sees each document once', async () => {
    await fill(200);
    await items.createIndex({ group: 1 });
    const seen = new Set<number>();
    for await (const item of items
      .find({ group: { $gte: 0 } })
      .sort({ group: 1 })
      .batchSize(20)) {
      expect(seen.has(item._id)).toBe(false);
      seen.add(item._id);
      if (seen.size % 50 === 0) await items.deleteOne({ _id: 199 - seen.size / 50 });
    }
    expect(seen.size).toBeGreaterThanOrEqual(196);
  });

  test('a query that examines too much fails, and an index cures it', async () => {
    await fill(600);
    await expect(items.find({ group: 3 }).toArray()).rejects.toMatchObject({ code: 96 });
    await expect(items.updateMany({ group: 3 }, { $set: { x: 1 } })).rejects.toMatchObject({ code: 96 });
    await expect(items.aggregate([{ $match: { group: 3 } }, { $sort: { at: 1 } }]).toArray()).rejects.toMatchObject({
      code: 96,
    });
    await items.createIndex({ group: 1 });
    expect(await items.find({ group: 3 }).toArray()).toHaveLength(60);
    expect(await items.countDocuments({ group: { $lt: 9 } })).toBe(540);
  });

  test('a write that is asked for again is answered again, not repeated', async () => {
    await items.insertOne({ _id: 1, n: 0 });
    const own = await MongoClient.connect(server.store.uri('test'));
    const session = own.startSession();
    const updates = [
      { q: { _id: 1 }, u: { $inc: { n: 1 } } },
      { q: { _id: 1 }, u: { $inc: { n: 10 } } },
    ];
    const ask = (txnNumber: bigint): Promise<unknown> =>
      own.db('test').command({ update: 'items', updates, txnNumber }, { session });
    const blocker = server.client.startSession();
    blocker.startTransaction();
    await items.updateOne({ _id: 1 }, { $set: { x: 1 } }, { session: blocker });
    const answers = Promise.all([ask(7n), ask(7n), ask(7n)]);
    await items.countDocuments();
    await blocker.commitTransaction();
    expect(await answers).toMatchObject([{ nModified: 2 }, { nModified: 2 }, { nModified: 2 }]);
    expect(await ask(7n)).toMatchObject({ nModified: 2 });
    expect(await items.findOne({ _id: 1 })).toMatchObject({ n: 11 });
    await expect(ask(6n)).rejects.toMatchObject({ code: 225 });
    const askOne = (): Promise<unknown> =>
      own.db('test').command({ update: 'items', updates: updates.slice(0, 1), txnNumber: 8n }, { session });
    blocker.startTransaction();
    await items.updateOne({ _id: 1 }, { $set: { x: 2 } }, { session: blocker });
    const single = Promise.all([askOne(), askOne()]);
    await items.countDocuments();
    await blocker.commitTransaction();
    await single;
    expect(await items.findOne({ _id: 1 })).toMatchObject({ n: 12 });
    await Promise.all([session.endSession(), blocker.endSession()]);
    await own.close();
  });

  test('what one connection asks for is done in its order, even if it waits for no answer', async () => {
    const own = await MongoClient.connect(server.store.uri('test'), { maxPoolSize: 1 });
    const mine = own.db('test').collection<Item>('items');
    const seen: unknown[] = [];
    for (let id = 0; id < 50; id++) {
      const unacknowledged = mine.insertOne({ _id: id }, { writeConcern: { w: 0 } });
      const found = mine.findOne({ _id: id });
      await unacknowledged;
      seen.push((await found)?._id);
    }
    await own.close();
    expect(seen).toEqual(Array.from({ length: 50 }, (_, id) => id));
  });

  test('a plain write waits for the transaction that holds its document', async () => {
    await items.insertOne({ _id: 1, n: 0 });
    const session = server.client.startSession();
    session.startTransaction();
    await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session });
    const waiting = items.updateOne({ _id: 1 }, { $inc: { n: 10 } });
    const late = items.updateOne({ _id: 1 }, { $inc: { n: 100 } }, { maxTimeMS: 50 });
    await expect(late).rejects.toMatchObject({ code: 50 });
    expect(await items.findOne({ _id: 1 })).toMatchObject({ n: 0 });
    await session.commitTransaction();
    await waiting;
    expect(await items.findOne({ _id: 1 })).toMatchObject({ n: 11 });
    await session.endSession();
  });

  test('of two transactions on one document the second fails at once and may be repeated', async () => {
    await items.insertOne({ _id: 1, n: 0 });
    const [first, second] = [server.client.startSession(), server.client.startSession()];
    first.startTransaction();
    second.startTransaction();
    await items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: first });
    const conflict = items.updateOne({ _id: 1 }, { $inc: { n: 1 } }, { session: second });
    await expect(conflict).rejects.toMatchObject({ code: 112, errorLabels: ['TransientTransactionError'] });
    // Over it is at once, whatever else is asked of it.
    const later = items.insertOne({ _id: 2 }, { session: second });
    await expect(later).rejects.toMatchObject({ codeName: 'NoSuchTransaction' });
    await first.commitTransaction();
    await second.abortTransaction();
    await Promise.all([first.endSession(), second.endSession()]);
  });

  test('a transaction keeps its snapshot, and conflicts with a change since', async () => {
    await items.insertMany([
      { _id: 1, n: 0 },
      { _id: 2, n: 0 },
    ]);
    const session = server.client.startSession();
    session.startTransaction();
    expect(await items.findOne({ _id: 1 }, { session })).toMatchObject({ n: 0 });
    await items.updateMany({}, { $set: { n: 5 } });
    expect(await items.findOne({ _id: 2 }, { session })).toMatchObject({ n: 0 });
    await expect(items.updateOne({ _id: 2 }, { $inc: { n: 1 } }, { session })).rejects.toMatchObject({ code: 112 });
    await session.abortTransaction();
    await session.endSession();
  });

  test('unique keys hold across transactions', async () => {
    await items.createIndex({ mail: 1 }, { unique: true });
    const session = server.client.startSession();
    session.startTransaction();
    await items.insertOne({ _id: 1, mail: 'a' }, { session });
    const other = server.client.startSession();
    other.startTransaction();
    await expect(items.insertOne({ _id: 2, mail: 'a' }, { session: other })).rejects.toMatchObject({ code: 112 });
    const plain = items.insertOne({ _id: 3, mail: 'a' });
    await session.commitTransaction();
    await expect(plain).rejects.toMatchObject({ code: 11000 });
    await Promise.all([session.endSession(), other.endSession()]);
  });

  test('a sparse or partial unique index lets in any number of documents that it leaves out', async () => {
    await items.createIndex({ mail: 1 }, { unique: true, sparse: true });
    await items.createIndex({ n: 1 }, { unique: true, partialFilterExpression: { group: 1 } });
    await items.insertMany([
      { _id: 1, n: 1 },
      { _id: 2, n: 1 },
      { _id: 3, n: 1, group: 1, mail: 'a' },
    ]);
    await expect(items.insertOne({ _id: 4, n: 1, group: 1 })).rejects.toMatchObject({ code: 11000 });
    await expect(items.insertOne({ _id: 5, mail: 'a' })).rejects.toMatchObject({ code: 11000 });
    await items.updateOne({ _id: 3 }, { $set: { mail: 'b' } });
    await items.insertOne({ _id: 6, mail: 'a' });
  });

  test('a transaction may exchange unique keys', async () => {
    await items.createIndex({ mail: 1 }, { unique: true });
    await items.insertMany([
      { _id: 1, mail: 'a' },
      { _id: 2, mail: 'b' },
    ]);
    await server.client.withSession((session) =>
      session.withTransaction(async () => {
        for (const [id, mail] of [
          [1, 'free'],
          [2, 'a'],
          [1, 'b'],
        ] as const)
          await items.updateOne({ _id: id }, { $set: { mail } }, { session });
        await expect(items.insertOne({ _id: 3, mail: 'free' }, { session })).resolves.toMatchObject({ insertedId: 3 });
      }),
    );
    expect(await items.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 1, mail: 'b' },
      { _id: 2, mail: 'a' },
      { _id: 3, mail: 'free' },
    ]);
    await expect(items.insertOne({ _id: 4, mail: 'b' })).rejects.toMatchObject({ code: 11000 });
  });

  test('documents past their time are deleted, others stay', async () => {
    const eager = await startTestServer({ keepsExpiredMs: 0 });
    const things = eager.client.db('test').collection<Item>('items');
    await things.createIndex({ until: 1 }, { expireAfterSeconds: 0 });
    const now = Date.now();
    await things.insertMany([
      { _id: 1, until: new Date(now - 1000) },
      { _id: 2, until: new Date(now + 60_000) },
      { _id: 3, until: 'never' },
      { _id: 4 },
      { _id: 5, until: [new Date(now - 5), new Date(now + 60_000)] },
    ]);
    while ((await things.countDocuments()) > 3) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await things.find().sort({ _id: 1 }).toArray()).map((item) => item._id)).toEqual([2, 3, 4]);
    await eager.close();
  });

  test('what grew old while the store stood still stays for a while after its start', async () => {
    await items.createIndex({ until: 1 }, { expireAfterSeconds: 0 });
    await items.insertOne({ _id: 1, until: new Date(0) });
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await items.countDocuments()).toBe(1);
  });

  test('a fail point makes commands fail on purpose, and the driver retries', async () => {
    const admin = server.client.db('admin');
    await admin.command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: ['insert'], closeConnection: true },
    });
    await items.insertOne({ _id: 1 });
    await admin.command({
      configureFailPoint: 'failCommand',
      mode: { times: 1 },
      data: { failCommands: ['find'], errorCode: 8000 },
    });
    await expect(items.findOne({})).rejects.toMatchObject({ code: 8000 });
    expect(await items.countDocuments()).toBe(1);
  });

  test('values of types that the store does not keep are refused', async () => {
    const { Decimal128, Code } = await import('bson');
    await expect(items.insertOne({ _id: 1, price: Decimal128.fromString('1') })).rejects.toMatchObject({ code: 2 });
    await expect(items.insertOne({ _id: 1, code: new Code('x') })).rejects.toMatchObject({ code: 2 });
    await expect(items.find({ price: { $in: [{ x: Decimal128.fromString('1') }] } }).toArray()).rejects.toMatchObject({
      code: 2,
    });
  });
});
