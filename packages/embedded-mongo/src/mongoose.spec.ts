import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { startEmbeddedMongo, type EmbeddedMongo } from './index.ts';

const roomSchema = new mongoose.Schema(
  {
    _id: { type: String, required: true },
    orgId: { type: String, required: true },
    title: { type: String, required: true },
    tags: { type: [String], required: true },
    count: { type: Number, default: 0 },
    members: [{ _id: false, userId: String, role: String }],
  },
  { timestamps: true, optimisticConcurrency: true },
);
roomSchema.index({ orgId: 1, title: 1 }, { unique: true });
roomSchema.index({ orgId: 1, createdAt: -1, _id: -1 });

describe('mongoose on the embedded store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  let store: EmbeddedMongo;
  let connection: mongoose.Connection;
  const modelOf = (on: mongoose.Connection) => on.model('Room', roomSchema);
  let rooms: ReturnType<typeof modelOf>;

  beforeAll(async () => {
    store = await startEmbeddedMongo({ file: join(folder, 'store.db') });
    connection = await mongoose.createConnection(store.uri('test'), { maxPoolSize: 10 }).asPromise();
    rooms = modelOf(connection);
    await rooms.init();
  });

  afterAll(async () => {
    await connection.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  test('a model is saved, found, changed and deleted', async () => {
    await rooms.create({
      _id: 'r1',
      orgId: 'o1',
      title: 'one',
      tags: ['a'],
      members: [{ userId: 'u1', role: 'read' }],
    });
    const room = await rooms.findById('r1').orFail();
    room.title = 'uno';
    room.tags.push('b');
    await room.save();
    await rooms.updateOne(
      { _id: 'r1', 'members.userId': 'u1' },
      { $set: { 'members.$.role': 'write' }, $inc: { count: 2 } },
    );
    const stored = await rooms.findById('r1').lean().orFail();
    expect(stored).toMatchObject({
      title: 'uno',
      tags: ['a', 'b'],
      count: 2,
      members: [{ userId: 'u1', role: 'write' }],
    });
    expect(await rooms.deleteOne({ _id: 'r1' })).toMatchObject({ deletedCount: 1 });
    expect(await rooms.exists({ _id: 'r1' })).toBeNull();
  });

  test('a stale version is refused', async () => {
    await rooms.create({ _id: 'r2', orgId: 'o1', title: 'two', tags: [] });
    const [first, second] = await Promise.all([rooms.findById('r2').orFail(), rooms.findById('r2').orFail()]);
    first.title = 'first';
    await first.save();
    second.title = 'second';
    await expect(second.save()).rejects.toBeInstanceOf(mongoose.Error.VersionError);
  });

  test('indexes equal the schema after they were synchronised', async () => {
    expect(await rooms.syncIndexes()).toEqual([]);
    const names = (await rooms.collection.indexes()).map((index) => index.name);
    expect(names).toEqual(['_id_', 'orgId_1_title_1', 'orgId_1_createdAt_-1__id_-1']);
  });

  test('a second document with a unique key fails with code 11000 and names the key', async () => {
    await rooms.create({ _id: 'r3', orgId: 'o2', title: 'three', tags: [] });
    const failure = rooms.create({ _id: 'r4', orgId: 'o2', title: 'three', tags: [] });
    await expect(failure).rejects.toMatchObject({ code: 11000, keyValue: { orgId: 'o2', title: 'three' } });
  });

  test('a transaction is visible to others only when it is committed', async () => {
    await connection.transaction(async (session) => {
      await rooms.create([{ _id: 'r5', orgId: 'o3', title: 'five', tags: [] }], { session });
      expect(await rooms.countDocuments({ orgId: 'o3' }).session(session)).toBe(1);
      expect(await rooms.countDocuments({ orgId: 'o3' })).toBe(0);
    });
    expect(await rooms.countDocuments({ orgId: 'o3' })).toBe(1);
  });

  test("a transaction whose client is gone is in nobody's way once its time is over", async () => {
    const other = await startEmbeddedMongo({ file: join(folder, 'short.db'), transactionLifetimeMs: 200 });
    const [dying, living] = [
      await mongoose.createConnection(other.uri('test')).asPromise(),
      await mongoose.createConnection(other.uri('test')).asPromise(),
    ];
    const collection = living.collection<{ _id: string; by: string }>('things');
    await collection.insertOne({ _id: 'a', by: 'nobody' });
    const session = await dying.startSession();
    session.startTransaction();
    await dying
      .collection<{ _id: string; by: string }>('things')
      .updateOne({ _id: 'a' }, { $set: { by: 'dying' } }, { session });
    await dying.destroy(true); // Says no goodbye to the store.
    await living.transaction(async (tx) => {
      await collection.updateOne({ _id: 'a' }, { $set: { by: 'living' } }, { session: tx });
    });
    expect(await collection.findOne({ _id: 'a' })).toMatchObject({ by: 'living' });
    await living.close();
    await other.close();
  });

  test('a transaction that fails leaves nothing', async () => {
    const failing = connection.transaction(async (session) => {
      await rooms.updateMany({}, { $set: { count: 99 } }, { session });
      await rooms.create([{ _id: 'r6', orgId: 'o4', title: 'six', tags: [] }], { session });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await rooms.countDocuments({ $or: [{ count: 99 }, { orgId: 'o4' }] })).toBe(0);
  });
});
