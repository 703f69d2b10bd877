import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { MongoClient } from 'mongodb';
import { startTestServer } from './test-server.spec-setup.ts';
import { startEmbeddedMongo } from './index.ts';

type Item = { _id: number; n?: number };

describe('the data file', () => {
  test('is locked while it is used, and can be used again afterwards', async () => {
    const server = await startTestServer();
    await expect(startEmbeddedMongo({ file: server.file })).rejects.toMatchObject({
      code: 'data-folder-locked',
      message: expect.stringContaining(String(process.pid)),
    });
    await server.client.db('test').collection<Item>('kept').insertOne({ _id: 1 });
    await server.store.close();
    expect(existsSync(`${server.file}.lock`)).toBe(false);
    const again = await startEmbeddedMongo({ file: server.file });
    const client = await MongoClient.connect(again.uri('test'));
    expect(await client.db('test').collection('kept').countDocuments()).toBe(1);
    await client.close();
    await again.close();
    await server.close();
  });

  test('of a newer version is refused', async () => {
    const server = await startTestServer();
    await server.store.close();
    const sqlite = new DatabaseSync(server.file);
    sqlite.exec('PRAGMA user_version = 99');
    sqlite.close();
    await expect(startEmbeddedMongo({ file: server.file })).rejects.toMatchObject({ code: 'data-newer' });
    await server.close();
  });

  test('in a folder that cannot be made is refused', async () => {
    await expect(startEmbeddedMongo({ file: '/dev/null/store.db' })).rejects.toMatchObject({ code: 'data-unwritable' });
  });

  test('is copied consistently while it is written', async () => {
    const server = await startTestServer();
    const pairs = server.client.db('test').collection<Item>('pairs');
    await pairs.insertMany([
      { _id: 1, n: 0 },
      { _id: 2, n: 0 },
    ]);
    let isDone = false;
    const writing = (async () => {
      while (!isDone)
        await server.client.withSession((session) =>
          session.withTransaction(() => pairs.updateMany({}, { $inc: { n: 1 } }, { session })),
        );
    })();
    while ((await pairs.findOne({ _id: 1 }))!.n === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const copy = `${server.file}.copy`;
    const reader = new DatabaseSync(server.file, { readOnly: true });
    reader.prepare('VACUUM INTO ?').run(copy);
    reader.close();
    isDone = true;
    await writing;
    const restored = await startEmbeddedMongo({ file: copy });
    const client = await MongoClient.connect(restored.uri('test'));
    const [one, two] = await client.db('test').collection<Item>('pairs').find().sort({ _id: 1 }).toArray();
    expect(one!.n).toBeGreaterThan(0);
    expect(one!.n).toBe(two!.n);
    await client.close();
    await restored.close();
    await server.close();
  });
});
