import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo, type EmbeddedMongo } from './index.ts';

const disk = mkdtempSync(join(tmpdir(), 'full-disk-'));
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', disk], { encoding: 'utf8' });
const reserve = { bytes: 4 * 1024 * 1024, databases: ['kept'] };
const others = join(disk, 'others');
const file = join(disk, 'store.sqlite');
const full = { code: 14_031, codeName: 'OutOfDiskSpace' };

let store: EmbeddedMongo;
let client: MongoClient;
const open = async (options: { reserve?: typeof reserve }): Promise<void> => {
  store = await startEmbeddedMongo({ file, ...options });
  client = await MongoClient.connect(store.uri('test'));
};
const write = (database: string, bytes = 1_000) =>
  client
    .db(database)
    .collection('rows')
    .insertOne({ text: 'x'.repeat(bytes) });
const count = (database: string) => client.db(database).collection('rows').countDocuments();
const freeBytes = (): number => {
  const { bavail, bsize } = statfsSync(disk);
  return bavail * bsize;
};
/** The store looks at the disk ten times a second. */
const untilSeen = () => new Promise((resolve) => setTimeout(resolve, 150));
const makeRoom = async () => {
  rmSync(others, { force: true });
  await untilSeen();
};

afterAll(() => {
  if (mounted.status === 0) execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true, force: true });
});

if (mounted.status !== 0)
  test.skip(`a full disk: skipped: no file system can be mounted here: ${mounted.stderr.trim()}`, () => undefined);
else
  describe('a full disk', () => {
    beforeEach(async () => {
      for (const name of ['', '-wal', '-shm', '.reserve']) rmSync(`${file}${name}`, { force: true });
    });
    afterEach(async () => {
      await client.close();
      await store.close();
      rmSync(others, { force: true });
    });

    test('refuses writes, reads go on, and so do writes when there is room', async () => {
      await open({});
      await write('test');
      writeFileSync(others, Buffer.alloc(freeBytes()));
      const writes = Array.from({ length: 20 }, () => write('test', 1_000_000));
      const outcomes = await Promise.allSettled(writes);
      expect(outcomes.findLast(({ status }) => status === 'rejected')).toMatchObject({ reason: full });
      expect(await count('test')).toBe(1 + outcomes.filter(({ status }) => status === 'fulfilled').length);
      await makeRoom();
      await write('test');
    });

    test('leaves the reserve to those that it is for, and takes it again', async () => {
      await open({ reserve });
      await Promise.all([write('test'), write('kept')]);
      writeFileSync(others, Buffer.alloc(freeBytes() - 1_000_000));
      await untilSeen();
      await expect(write('test')).rejects.toMatchObject(full);
      expect(existsSync(`${file}.reserve`)).toBe(false);
      // What others take meanwhile is not theirs.
      for (let row = 0; row < 1_000; row += 1) await write('kept');
      expect([await count('test'), await count('kept')]).toEqual([1, 1_001]);
      await makeRoom();
      await write('test');
      expect(existsSync(`${file}.reserve`)).toBe(true);
    });

    test('leaves the reserve also to what says that it frees space, and to its whole transaction', async () => {
      await open({ reserve });
      await write('test');
      writeFileSync(others, Buffer.alloc(freeBytes() - 1_000_000));
      await untilSeen();
      const rows = client.db('test').collection('rows');
      const set = { $set: { isDeleted: true } };
      await expect(rows.updateOne({}, set)).rejects.toMatchObject(full);
      await rows.updateOne({}, set, { comment: 'frees space' });
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await rows.findOne({}, { session, comment: 'frees space' });
          await rows.insertOne({ text: 'what happened' }, { session });
        }),
      );
      expect(await count('test')).toBe(2);
      await client.withSession((session) =>
        session.withTransaction(async () => {
          await expect(rows.insertOne({ text: 'more' }, { session })).rejects.toMatchObject(full);
          await session.abortTransaction();
        }),
      );
    });

    test('that fills up before anybody has looked costs one write', async () => {
      await open({ reserve });
      await write('test');
      writeFileSync(others, Buffer.alloc(freeBytes()));
      let refused = 0;
      for (let row = 0; row < 5; row += 1) await write('kept', 200_000).catch(() => (refused += 1));
      expect(refused).toBeLessThanOrEqual(1);
      await expect(write('test')).rejects.toMatchObject(full);
    });
  });
