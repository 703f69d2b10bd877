import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Binary, BSON } from 'bson';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo, type EmbeddedMongo } from './index.ts';

let folder: string;
let store: EmbeddedMongo;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-bulk-write-'));
  store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const run = async (command: object) =>
  BSON.deserialize(await store.link!.run(BSON.serialize({ ...command, $db: 'own' })));
const rowsOf = async ($db: string, collection: string) =>
  BSON.deserialize(await store.link!.run(BSON.serialize({ find: collection, filter: {}, sort: { _id: 1 }, $db })))[
    'cursor'
  ].firstBatch;

/** Sends `bulkWrite` as the first command of a transaction; `end` ends that. */
function transaction() {
  const envelope = {
    lsid: { id: new Binary(randomBytes(16), Binary.SUBTYPE_UUID) },
    txnNumber: BSON.Long.fromNumber(1),
    autocommit: false,
  };
  return {
    bulkWrite: (nsInfo: readonly string[], ops: readonly object[]) =>
      run({
        bulkWrite: 1,
        ops,
        nsInfo: nsInfo.map((ns) => ({ ns })),
        errorsOnly: true,
        ...envelope,
        startTransaction: true,
      }),
    commit: async () =>
      BSON.deserialize(await store.link!.run(BSON.serialize({ commitTransaction: 1, ...envelope, $db: 'admin' }))),
  };
}

test('bulkWrite writes to collections of several databases in its order, and nothing is seen before the commit', async () => {
  const { bulkWrite, commit } = transaction();
  const answer = await bulkWrite(
    ['own.notes', 'other.a.b'],
    [
      { insert: 0, document: { _id: 1, n: 1 } },
      { insert: 0, document: { _id: 2, n: 1 } },
      { update: 0, filter: { _id: 1 }, updateMods: { $inc: { n: 1 } } },
      { update: 1, filter: { _id: 3 }, updateMods: { $inc: { n: 5 } }, upsert: true },
      { update: 0, filter: { n: { $gt: 0 } }, updateMods: { $inc: { n: 1 } }, multi: true },
      { delete: 0, filter: { _id: 2 } },
    ],
  );
  expect(answer).toEqual({
    cursor: { id: 0, firstBatch: [], ns: 'admin.$cmd.bulkWrite' },
    nErrors: 0,
    nInserted: 2,
    nMatched: 3,
    nModified: 3,
    nUpserted: 1,
    nDeleted: 1,
    ok: 1,
  });
  expect([await rowsOf('own', 'notes'), await rowsOf('other', 'a.b')]).toEqual([[], []]);
  expect(await commit()).toMatchObject({ ok: 1 });
  expect(await rowsOf('own', 'notes')).toEqual([{ _id: 1, n: 3 }]);
  expect(await rowsOf('other', 'a.b')).toEqual([{ _id: 3, n: 5 }]);
});

test('bulkWrite tells which statement was refused, and the transaction has ended', async () => {
  await run({ insert: 'taken', documents: [{ _id: 1 }] });
  const { bulkWrite, commit } = transaction();
  const answer = await bulkWrite(
    ['own.fresh', 'own.taken'],
    [
      { insert: 0, document: { _id: 1 } },
      { insert: 1, document: { _id: 1 } },
      { insert: 0, document: { _id: 2 } },
    ],
  );
  expect(answer).toMatchObject({ ok: 1, nErrors: 1, cursor: { firstBatch: [{ ok: 0, idx: 1, code: 11_000 }] } });
  expect(await commit()).toMatchObject({ ok: 0, codeName: 'NoSuchTransaction' });
  expect(await rowsOf('own', 'fresh')).toEqual([]);
});

test.each([
  ['a collection that nsInfo lacks', ['own.notes'], [{ insert: 1, document: {} }], 2],
  ['a name without a database', ['notes'], [{ insert: 0, document: {} }], 73],
  ['an unknown argument', ['own.notes'], [{ insert: 0, document: {}, hint: 1 }], 40_415],
])('bulkWrite refuses %s', async (_what, nsInfo, ops, code) => {
  const answer = await transaction().bulkWrite(nsInfo, ops);
  expect([answer, ...(answer['cursor']?.firstBatch ?? [])]).toContainEqual(expect.objectContaining({ ok: 0, code }));
});

test('bulkWrite outside of a transaction is refused', async () => {
  const nsInfo = [{ ns: 'own.notes' }];
  expect(await run({ bulkWrite: 1, ops: [{ insert: 0, document: {} }], nsInfo, errorsOnly: true })).toMatchObject({
    ok: 0,
    codeName: 'NotImplemented',
  });
});
