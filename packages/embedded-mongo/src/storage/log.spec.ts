import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { statSync } from 'node:fs';
import { startTestServer, type TestServer } from '../test-server.spec-setup.ts';

const megabyte = 1024 * 1024;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('transactions that overlap without a pause do not grow the log for ever', async () => {
  const items = server.client.db('test').collection<{ _id: number; text?: string }>('items');
  await items.insertOne({ _id: 1 });
  const text = 'x'.repeat(megabyte / 2);
  let isDone = false;
  let largest = 0;
  let id = 2;
  const write = async (): Promise<void> => {
    for (let round = 0; round < 32; round++) {
      await server.client.withSession((session) =>
        session.withTransaction(async () => {
          await items.findOne({ _id: 1 }, { session });
          await items.insertOne({ _id: id++, text }, { session });
        }),
      );
      largest = Math.max(largest, statSync(`${server.file}-wal`).size);
    }
  };
  const overlap = async (): Promise<void> => {
    while (!isDone)
      await server.client.withSession((session) =>
        session.withTransaction(() => items.findOne({ _id: 1 }, { session })),
      );
  };
  const overlapping = [overlap(), overlap(), overlap()];
  await Promise.all(Array.from({ length: 8 }, write));
  isDone = true;
  await Promise.all(overlapping);
  expect(await items.countDocuments()).toBe(8 * 32 + 1);
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(64 * megabyte);
}, 60_000);
