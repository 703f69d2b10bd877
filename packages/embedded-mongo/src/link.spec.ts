import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BSON } from 'bson';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedMongo, type EmbeddedMongo } from './index.ts';

let folder: string;
let store: EmbeddedMongo;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-link-'));
  store = await startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const run = async (command: object) =>
  BSON.deserialize(await store.link!.run(BSON.serialize({ ...command, $db: 'db' })));

test('concurrent commands each get their own answer: reads, writes and refused ones', async () => {
  const names = Array.from({ length: 50 }, (_, at) => `n${at}`);
  const inserts = await Promise.all(names.map((_id) => run({ insert: 'names', documents: [{ _id }] })));
  expect(inserts).toEqual(names.map(() => ({ n: 1, ok: 1 })));
  const answers = await Promise.all([
    run({ find: 'names', filter: { _id: 'n7' } }),
    run({ nonsense: 1 }),
    run({ insert: 'names', documents: [{ _id: 'n7' }] }),
    run({ find: 'names', filter: { _id: 'n8' } }),
  ]);
  expect(answers).toMatchObject([
    { ok: 1, cursor: { firstBatch: [{ _id: 'n7' }] } },
    { ok: 0, codeName: 'CommandNotFound' },
    { ok: 1, writeErrors: [{ code: 11_000 }] },
    { ok: 1, cursor: { firstBatch: [{ _id: 'n8' }] } },
  ]);
});

test('a text of two megabytes comes back whole', async () => {
  const text = 'ä'.repeat(1_000_000);
  await run({ insert: 'texts', documents: [{ _id: 'long', text }] });
  const [found] = (await run({ find: 'texts', filter: {} }))['cursor'].firstBatch;
  expect(found.text === text).toBe(true);
});

test('a command to a store that has stopped is refused at once', async () => {
  const own = await startEmbeddedMongo({ file: join(folder, 'other.sqlite') });
  await own.close();
  await expect(own.link!.run(BSON.serialize({ ping: 1, $db: 'db' }))).rejects.toThrow('the store has stopped');
});
