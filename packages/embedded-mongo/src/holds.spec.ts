import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Collection } from 'mongodb';
import { Executor, type Task } from './engine/executor.ts';
import { HoldLog } from './engine/hold-log.ts';
import type { Store } from './storage/store.ts';
import { startTestServer, type TestServer } from './test-server.spec-setup.ts';

type Item = { _id: number; n: number; text?: string };

describe('a store that limits writes', () => {
  let server: TestServer;
  let items: Collection<Item>;
  beforeAll(async () => {
    server = await startTestServer({ maxWrittenDocuments: 50 });
    items = server.client.db('test').collection('items');
    for (let from = 0; from < 100; from += 50)
      await items.insertMany(Array.from({ length: 50 }, (_, at) => ({ _id: from + at, n: 0 })));
  });
  afterAll(() => server.close());
  const many = expect.objectContaining({ message: expect.stringContaining('more than 50 documents') });

  test.each<[string, () => Promise<unknown>]>([
    ['an update', () => items.updateMany({ _id: { $lt: 60 } }, { $inc: { n: 1 } })],
    ['a deletion', () => items.deleteMany({ _id: { $lt: 60 } })],
    ['an insertion', () => items.insertMany(Array.from({ length: 60 }, (_, at) => ({ _id: 1_000 + at, n: 0 })))],
  ])('refuses %s of too many documents', (_name, write) => expect(write()).rejects.toEqual(many));

  test('counts all commands of a transaction', async () => {
    const writing = server.client.withSession((session) =>
      session.withTransaction(async () => {
        await items.updateMany({ _id: { $gte: 60, $lt: 90 } }, { $inc: { n: 1 } }, { session });
        await items.updateMany({ _id: { $gte: 60, $lt: 90 } }, { $inc: { n: 1 } }, { session });
      }),
    );
    await expect(writing).rejects.toEqual(many);
    expect(await items.findOne({ _id: 75 })).toEqual({ _id: 75, n: 0 });
  });
});

describe('a store', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());
  const holds = (reset = false) => server.client.db('admin').command({ parleyStoreHolds: 1, reset });
  const filled = (count: number, from = 0): Item[] =>
    Array.from({ length: count }, (_, at) => ({ _id: from + at, n: 0, text: `some words of ${at}` }));

  test('tells which command has held it longest, until it is told to start over', async () => {
    const items = server.client.db('test').collection<Item>('measured');
    await items.createIndex({ n: 1 });
    await holds(true);
    await server.client.withSession((session) =>
      session.withTransaction(() => items.insertMany(filled(900), { session })),
    );
    const { longest } = await holds();
    expect(longest).toMatchObject({ command: expect.stringMatching(/commitTransaction|insert|commit of a group/) });
    await holds(true);
    const after = (await holds()).longest as { command: string };
    expect(after.command).not.toBe((longest as { command: string }).command);
  });
});

test('a read runs between the writes that wait, however many they are', async () => {
  const store = { beginGroup() {}, commitGroup() {}, rollbackGroup() {} } as unknown as Store;
  const executor = new Executor(store, new HoldLog());
  const order: string[] = [];
  // oxlint-disable-next-line require-yield -- every task is a generator
  function* work(name: string): Task {
    for (const until = performance.now() + 15; performance.now() < until;);
    order.push(name);
    if (name === 'write 1') void submit('read', false);
    return Buffer.alloc(0);
  }
  const submit = (name: string, isWrite = true) =>
    new Promise((resolve) =>
      executor.submit(work(name), { name, isWrite, deadline: Number.POSITIVE_INFINITY }, resolve),
    );
  await Promise.all(['write 1', 'write 2', 'write 3', 'write 4', 'write 5'].map((name) => submit(name)));
  expect(order).toHaveLength(6);
  expect(order.indexOf('read')).toBeLessThan(order.indexOf('write 4'));
});
