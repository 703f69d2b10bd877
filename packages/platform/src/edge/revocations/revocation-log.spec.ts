import { beforeAll, expect, test } from '@jest/globals';
import { RevocationLog } from './index.ts';
import { job } from '../../events/work/index.ts';
import { Mongo } from '../../rows/mongo/index.ts';
import { countCommands, startTestStore, testStore } from '@parley/testing';

const { mongo, work, ready } = await testStore();
const log = new RevocationLog(mongo);
beforeAll(ready);

const revoke = (...subjects: readonly string[]) =>
  work.run(job('tests'), async (tx) => {
    for (const subject of subjects) await log.record(tx, { kind: 'session', subject, rightsVersion: null });
  });

test('lists revocations in order, after the given cursor', async () => {
  const { cursor } = await log.list(undefined);
  await revoke('one', 'two');
  await revoke('three');
  const all = await log.list(cursor);
  expect(all.items.map(({ subject }) => subject)).toEqual(['one', 'two', 'three']);
  const [first, second, third] = all.items.map(({ sequence }) => sequence);
  expect([second! - first!, third! - second!, all.cursor]).toEqual([1, 1, third]);
  expect((await log.list(first)).items.map(({ subject }) => subject)).toEqual(['two', 'three']);
  expect(await log.list(third)).toEqual({ items: [], cursor: third });
});

test('a first request without a cursor starts with later revocations', async () => {
  await revoke('before');
  const { items, cursor } = await log.list(undefined);
  expect(items).toEqual([]);
  await revoke('after');
  expect((await log.list(cursor)).items.map(({ subject }) => subject)).toEqual(['after']);
});

test('a failed change revokes nothing and leaves no gap', async () => {
  const { cursor } = await log.list(undefined);
  const failing = work.run(job('tests'), async (tx) => {
    await log.record(tx, { kind: 'session', subject: 'undone', rightsVersion: null });
    throw new Error('undone');
  });
  await expect(failing).rejects.toThrow('undone');
  await revoke('done');
  expect((await log.list(cursor)).items).toMatchObject([{ subject: 'done', sequence: cursor + 1 }]);
});

test('revocations at the same time get different sequence numbers', async () => {
  const { cursor } = await log.list(undefined);
  await Promise.all(['a', 'b', 'c', 'd'].map((subject) => revoke(subject)));
  const { items } = await log.list(cursor);
  expect(items.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4].map((step) => cursor + step));
});

test('a process that runs alone reads the store only after a change, and misses no revocation', async () => {
  const store = await startTestStore();
  const own = await Mongo.connect(store.freshDatabase(), { isAlone: true });
  const remembering = new RevocationLog(own);
  await own.applyIndexes();
  const { cursor } = await remembering.list(undefined);
  await remembering.list(cursor);
  expect(await countCommands(() => remembering.list(cursor))).toBe(0);
  await own.transaction(async (session) => {
    await remembering.record({ session } as never, { kind: 'session', subject: 'one', rightsVersion: null });
    expect((await remembering.list(cursor)).items).toEqual([]);
  });
  expect((await remembering.list(cursor)).items).toMatchObject([{ subject: 'one' }]);
  await own.close();
  await store.close();
});

test('an owner rings once after each transaction that revokes', async () => {
  let rings = 0;
  const ringing = new RevocationLog(mongo, () => void (rings += 1));
  await mongo.transaction(async (session) => {
    for (const subject of ['one', 'two'])
      await ringing.record({ session } as never, { kind: 'session', subject, rightsVersion: null });
    expect(rings).toBe(0);
  });
  expect(rings).toBe(1);
});
